// What is known of a run at any moment, so that its result can be told wherever it ends.

import type { RuleGuard } from "../agent/guard.ts";
import type { SessionWriter } from "../session/session.ts";
import type { HandoffReport } from "./handoff-result.ts";
import { type OutcomeTracker, trackOutcome } from "./run-result.ts";

export interface RunReport {
  readonly tracker: OutcomeTracker;
  /** Of `performance.now()`. */
  readonly startedAt: number;
  /** Once the session is open. */
  writer: SessionWriter | undefined;
  guard: RuleGuard | undefined;
  /** `/handoff` in the prompt: what is known of the handoff, in place of a run. */
  handoff: HandoffReport | undefined;
}

/** Nothing is known yet; the time counts from here. */
export function newRunReport(): RunReport {
  const nothing = { writer: undefined, guard: undefined, handoff: undefined };
  return { tracker: trackOutcome(), startedAt: performance.now(), ...nothing };
}
