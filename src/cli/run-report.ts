// What is known of a run at any moment, so that its result can be told wherever it ends.

import type { RuleGuard } from "../agent/guard.ts";
import type { SessionWriter } from "../session/session.ts";
import type { RunOutput } from "./run-output.ts";
import type { OutcomeTracker } from "./run-result.ts";

export interface RunReport {
  readonly output: RunOutput;
  readonly tracker: OutcomeTracker;
  /** Of `performance.now()`. */
  readonly startedAt: number;
  /** Once the session is open. */
  writer: SessionWriter | undefined;
  guard: RuleGuard | undefined;
  /** What a command in the prompt wrote, in place of a model's answer. */
  document: string | undefined;
}

export function newRunReport(output: RunOutput, tracker: OutcomeTracker): RunReport {
  return {
    output,
    tracker,
    startedAt: performance.now(),
    writer: undefined,
    guard: undefined,
    document: undefined,
  };
}
