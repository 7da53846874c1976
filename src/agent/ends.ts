// The ends of a run, each with the words that say why.

import type { ErrorKind } from "../base/errors.ts";
import type { ModelFailure } from "../model/model.ts";
import type { AgentEnd, LimitName } from "./events.ts";
import type { RunClock } from "./limits.ts";
import type { RunLimits } from "./run.ts";

export const STOPPED: AgentEnd = { type: "agent_end", reason: "stop" };

/** The run went on until one of its limits. */
export function endAtLimit(limit: LimitName, limits: RunLimits): AgentEnd {
  return { type: "agent_end", reason: "limit", limit, error: record("limit", limitText(limit, limits)) };
}

function limitText(limit: LimitName, limits: RunLimits): string {
  switch (limit) {
    case "turns":
      return `The run was ended at its limit of ${limits.maxTurns} turns (--max-turns)`;
    case "time":
      return "The run was ended at its limit of time (--max-time)";
    case "tokens":
      return limits.maxTokens === undefined
        ? "The model's answer was cut at the most tokens that an answer may have"
        : `The run was ended at its limit of ${limits.maxTokens} generated tokens (--max-tokens)`;
    case "repetition":
      return "The run was ended: the model repeated the same tool call, with the same result, 5 times";
  }
}

/** A signal or the time limit, whichever stopped the clock. */
export function endOfClock(clock: RunClock, limits: RunLimits): AgentEnd {
  return clock.ended === "time" ? endAtLimit("time", limits) : { type: "agent_end", reason: "aborted" };
}

/** The model failed for good. */
export function endOfFailure(failure: ModelFailure): AgentEnd {
  const { kind, message, hint, retryable } = failure;
  return {
    type: "agent_end",
    reason: "error",
    error: { kind, message, ...(hint === undefined ? {} : { hint }), retryable },
  };
}

/** The model answered, but not as it was asked to. */
export function endOfBadAnswer(message: string): AgentEnd {
  return { type: "agent_end", reason: "error", error: record("failed", message) };
}

export const ENDED_EMPTY: AgentEnd = {
  type: "agent_end",
  reason: "empty",
  error: record("cancelled", "The model ended without text"),
};

export const ENDED_BY_RULE: AgentEnd = {
  type: "agent_end",
  reason: "rule",
  error: record(
    "rule",
    "The run was stopped: rules interrupted it more often than ttsr.maxInterrupts allows",
  ),
};

export const ENDED_DENIED: AgentEnd = {
  type: "agent_end",
  reason: "denied",
  error: record("denied", "A tool call was denied, and --fail-on-denied was given"),
};

function record(kind: ErrorKind, message: string) {
  return { kind, message, retryable: false };
}
