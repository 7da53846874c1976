// The ends of a run, each with the words that say why.

import type { ErrorKind } from "../base/errors.ts";
import { oneLine, plural } from "../base/text.ts";
import type { ModelFailure } from "../model/model.ts";
import type { DeniedAccess } from "../tools/tool.ts";
import type { AgentEnd, LimitName } from "./events.ts";
import type { RunClock } from "./limits.ts";
import { MAX_REPETITIONS } from "./repetition.ts";
import type { RunLimits } from "./run.ts";

export const STOPPED: AgentEnd = { type: "agent_end", reason: "stop" };

/** Limits that the clock of a run knows. */
export type CountedLimit = Exclude<LimitName, "repetition">;

/** The run went on until one of its limits. */
export function endAtLimit(limit: CountedLimit, limits: RunLimits): AgentEnd {
  return { type: "agent_end", reason: "limit", limit, error: record("limit", limitText(limit, limits)) };
}

function limitText(limit: CountedLimit, limits: RunLimits): string {
  switch (limit) {
    case "turns":
      return `The run was ended at its limit of ${plural(limits.maxTurns, "turn")} (--max-turns)`;
    case "time":
      return "The run was ended at its time limit (--max-time)";
    case "tokens":
      return limits.maxTokens === undefined
        ? "The model's answer was cut: the server allows an answer no more tokens, or the window is full (--num-ctx)"
        : `The run was ended at its limit of ${plural(limits.maxTokens, "generated token")} (--max-tokens)`;
  }
}

/** A signal or the time limit, whichever stopped the clock; else no token was left for the next request. */
export function endOfClock(clock: RunClock, limits: RunLimits): AgentEnd {
  if (clock.ended === "aborted") return { type: "agent_end", reason: "aborted" };
  return endAtLimit(clock.ended ?? "tokens", limits);
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

/** Rules interrupted the run more often than it may be; `names` did last. */
export function endByRules(names: readonly string[]): AgentEnd {
  const who = `${names.length === 1 ? "rule" : "rules"} ${names.join(", ")}`;
  const text = `The run was stopped by ${who}: it was interrupted more often than ttsr.maxInterrupts allows`;
  return { type: "agent_end", reason: "rule", error: record("rule", text) };
}

/** A tool call that rules forbid was about to be run, and the caller does not accept that. */
export function endOfViolation(rules: readonly string[]): AgentEnd {
  const who = `${rules.length === 1 ? "rule" : "rules"} ${rules.join(", ")}`;
  const text = `The run was ended before a tool call that ${who} forbids was run (--fail-on-violation)`;
  return { type: "agent_end", reason: "rule", error: record("rule", text) };
}

/** A call was denied, and the caller does not accept that. */
export function endOfDenial(denial: DeniedAccess & { readonly tool: string }): AgentEnd {
  const { tool, target, reason, hint } = denial;
  const text = `The run was ended at the first denial (--fail-on-denied): ${tool} ${JSON.stringify(oneLine(target, 200))}: ${reason}`;
  const error = { ...record("denied", text), ...(hint === undefined ? {} : { hint: `${hint} grants it.` }) };
  return { type: "agent_end", reason: "denied", error };
}

/** The model goes in circles. */
export function endOfRepetition(tool: string): AgentEnd {
  const text = `The run was ended: the model repeated the same call of ${tool}, with the same result, ${MAX_REPETITIONS} times`;
  return { type: "agent_end", reason: "limit", limit: "repetition", error: record("limit", text) };
}

function record(kind: ErrorKind, message: string) {
  return { kind, message, retryable: false };
}
