// The `result` record: put together from the events of a run, and the same whatever the output.

import type { AgentEnd, AgentEvent, ErrorRecord, LimitName } from "../agent/events.ts";
import { textOf } from "../model/messages.ts";
import type { Violation } from "../rules/ttsr-state.ts";

export interface ResultRecord {
  readonly type: "result";
  readonly ok: boolean;
  readonly exitCode: number;
  readonly sessionId: string | null;
  /** Null for a session that is in no file. */
  readonly sessionPath: string | null;
  /** Of the last message that is not void: the final answer if `stopReason` is `stop`; empty if there is none. */
  readonly text: string;
  /** Of the last message that is not void; null if there is none. */
  readonly stopReason: string | null;
  readonly turns: number;
  readonly usage: { readonly input: number; readonly output: number; readonly totalTokens: number };
  readonly durationMs: number;
  readonly limit?: LimitName;
  readonly violations: readonly Violation[];
  readonly error?: ErrorRecord;
}

/** What the events have said so far. */
export interface Outcome {
  readonly text: string;
  readonly stopReason: string | null;
  readonly turns: number;
  readonly usage: ResultRecord["usage"];
  readonly end: AgentEnd | undefined;
}

export interface OutcomeTracker {
  take(event: AgentEvent): void;
  readonly outcome: Outcome;
}

const NOTHING: Outcome = {
  text: "",
  stopReason: null,
  turns: 0,
  usage: { input: 0, output: 0, totalTokens: 0 },
  end: undefined,
};

/** Follows the events of one run. */
export function trackOutcome(): OutcomeTracker {
  let outcome = NOTHING;
  return {
    take(event) {
      outcome = { ...outcome, ...changeOf(outcome, event) };
    },
    get outcome() {
      return outcome;
    },
  };
}

function changeOf(outcome: Outcome, event: AgentEvent): Partial<Outcome> {
  switch (event.type) {
    case "message_end": {
      const { message, discarded } = event;
      if (message.role !== "assistant" || discarded === true) return {};
      const isWhole = message.stopReason !== "error";
      return { text: isWhole ? textOf(message.content) : "", stopReason: message.stopReason };
    }
    case "turn_end": {
      const { input, output, totalTokens } = event.usage;
      const { usage } = outcome;
      return {
        turns: outcome.turns + (event.interrupted ? 0 : 1),
        usage: {
          input: usage.input + input,
          output: usage.output + output,
          totalTokens: usage.totalTokens + totalTokens,
        },
      };
    }
    case "agent_end":
      return {
        end: event,
        ...(event.reason === "error" || event.reason === "aborted" ? { stopReason: event.reason } : {}),
      };
    default:
      return {};
  }
}
