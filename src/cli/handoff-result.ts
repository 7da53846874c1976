// The `result` record of a handoff, for `--result`: the same shape as that of a run.

import type { RuleGuard } from "../agent/guard.ts";
import { AppError } from "../base/errors.ts";
import type { NewSession } from "../handoff/transfer.ts";
import { errorRecord } from "./error-record.ts";
import { exitCodeOf } from "./exit.ts";
import { type OutcomeTracker, type ResultRecord, trackOutcome } from "./run-result.ts";

/** What is known of a handoff at any moment. */
export interface HandoffReport {
  readonly startedAt: number;
  readonly tracker: OutcomeTracker;
  guard: RuleGuard | undefined;
  /** The document, once it is there. */
  text: string;
  next: NewSession | undefined;
}

export function handoffReport(): HandoffReport {
  return {
    startedAt: performance.now(),
    tracker: trackOutcome(),
    guard: undefined,
    text: "",
    next: undefined,
  };
}

/** The record; `end` is the exit code, or the error that the handoff ended with. */
export function handoffRecord(report: HandoffReport, end: number | AppError): ResultRecord {
  const failed = end instanceof AppError;
  const { outcome } = report.tracker;
  return {
    type: "result",
    ok: !failed && end === 0,
    exitCode: failed ? exitCodeOf(end.kind) : end,
    sessionId: report.next?.id ?? null,
    sessionPath: report.next?.path ?? null,
    text: report.text,
    stopReason: outcome.stopReason,
    turns: outcome.turns,
    usage: outcome.usage,
    durationMs: Math.round(performance.now() - report.startedAt),
    // The time is kept by the command, every other limit by the loop.
    ...(failed && end.kind === "limit" ? { limit: outcome.end?.limit ?? "time" } : {}),
    violations: report.guard?.violations() ?? [],
    ...(failed ? { error: errorRecord(end) } : {}),
  };
}
