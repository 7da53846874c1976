// One `agent run` from its flags to its exit code. Whatever happens, the result record is the last thing printed, the
// lock is given back, and the same failure gives the same code in every output.

import type { AgentEnd } from "../agent/events.ts";
import { atExit } from "../base/at-exit.ts";
import { AppError, toAppError } from "../base/errors.ts";
import type { Violation } from "../rules/ttsr-state.ts";
import type { CommandContext } from "./command.ts";
import { errorRecord } from "./error-record.ts";
import { EXIT_OK, exitCodeOf } from "./exit.ts";
import { handoffRecord } from "./handoff-result.ts";
import { type ResultPlace, resultPlace, rewriteResultFile, writeResultFile } from "./result-file.ts";
import { filesOfRun } from "./run-named-files.ts";
import type { RunOutput } from "./run-output.ts";
import { outputName, runOutput } from "./run-outputs.ts";
import { runPrompt } from "./run-parts.ts";
import { newRunReport, type RunReport } from "./run-report.ts";
import type { ResultRecord } from "./run-result.ts";

/** Runs the command; throws the `AppError` that it ends with, after the result was printed. */
export async function runCommandLine(context: CommandContext): Promise<number> {
  const output = runOutput(outputName(context), context.io);
  const report = newRunReport();
  const { to, fault } = resultPlace(context, () => filesOfRun(context));
  let failure = fault;
  try {
    if (fault === undefined) await runPrompt(context, { report, output });
    failure ??= failureOf(report, context);
  } catch (thrown) {
    failure = toAppError(thrown);
  }
  context.io.progress(undefined);
  const unclosed = await tried(() => report.writer?.close());
  failure ??= unclosed;
  if (context.signal.aborted) failure ??= toAppError(context.signal.reason);
  const ended = await tellResult(context, { report, output, failure, to });
  if (ended !== undefined) throw ended;
  return EXIT_OK;
}

interface Telling {
  readonly report: RunReport;
  readonly output: RunOutput;
  readonly failure: AppError | undefined;
  readonly to: ResultPlace;
}

/**
 * Writes the result to `--result` and prints it: the same record, and one that says so if either cannot be done. Gives
 * what the run ends with.
 */
async function tellResult(context: CommandContext, telling: Telling): Promise<AppError | undefined> {
  const { report, output, failure, to } = telling;
  const result = buildResult(report, failure);
  const unwritten = await writeResultFile(result, to);
  if (unwritten !== undefined && failure !== undefined) context.io.warning(unwritten.message);
  if (failure?.kind === "pipe") return failure;
  const known = failure ?? unwritten;
  const last = known === failure ? result : buildResult(report, known);
  const told = atExit(() => tellEndWhilePrinting(context, telling));
  const unprinted = await tried(() => output.end(last, isAnswer(report)));
  told();
  // A signal is why the process ends, whatever it was about to say.
  const counts = known === undefined || unprinted === context.signal.reason;
  if (unprinted === undefined || unprinted === known || !counts) return known;
  await writeResultFile(buildResult(report, unprinted), to);
  return unprinted;
}

/** A second signal ends the process at once: the file must not say that all was well. */
function tellEndWhilePrinting({ signal }: CommandContext, { report, to }: Telling): void {
  if (signal.aborted) rewriteResultFile(buildResult(report, toAppError(signal.reason)), to);
}

/** What an action failed with. */
async function tried(action: () => void | Promise<void>): Promise<AppError | undefined> {
  try {
    await action();
    return undefined;
  } catch (thrown) {
    return toAppError(thrown);
  }
}

/** The record of a command line that could not be parsed. */
export function failureRecord(error: AppError): ResultRecord {
  return buildResult(newRunReport(), error);
}

/** What a run that came to its end failed with, if it did. A signal counts also after the end, while hooks still ran. */
function failureOf({ tracker, guard }: RunReport, { flags, signal }: CommandContext): AppError | undefined {
  const { end } = tracker.outcome;
  if (signal.aborted) return toAppError(signal.reason);
  if (end === undefined) return undefined;
  if (end.error !== undefined) return errorOf(end.error);
  return flags.has("fail-on-violation") && guard?.hasStandingViolation() === true
    ? standingViolation(guard.violations())
    : undefined;
}

function standingViolation(violations: readonly Violation[]): AppError {
  const standing = violations.filter(
    ({ severity, outcome }) => severity === "error" && outcome !== "discarded",
  );
  const names = [...new Set(standing.map(({ rule }) => rule))].join(", ");
  return new AppError("rule", `Text that rules forbid stays in the session: ${names} (--fail-on-violation)`);
}

function errorOf({ kind, message, hint }: NonNullable<AgentEnd["error"]>): AppError {
  return new AppError(kind, message, hint === undefined ? {} : { hint });
}

/** Whether the last message is an answer: not cut by a signal or a failure, and not on the way to one. */
function isAnswer({ tracker }: RunReport): boolean {
  const { end } = tracker.outcome;
  return end?.reason === "stop" || (end?.limit === "tokens" && tracker.outcome.stopReason === "length");
}

function buildResult(report: RunReport, failure: AppError | undefined): ResultRecord {
  if (report.handoff !== undefined) return handoffRecord(report.handoff, failure ?? EXIT_OK);
  const { outcome } = report.tracker;
  const { writer, guard } = report;
  // The time is kept by the command too, every other limit by the loop.
  const limit = outcome.end?.limit ?? (failure?.kind === "limit" ? "time" : undefined);
  return {
    type: "result",
    ok: failure === undefined,
    exitCode: failure === undefined ? EXIT_OK : exitCodeOf(failure.kind),
    sessionId: writer?.header.id ?? null,
    sessionPath: writer?.path ?? null,
    text: outcome.text,
    stopReason: outcome.stopReason,
    turns: outcome.turns,
    usage: outcome.usage,
    durationMs: Math.round(performance.now() - report.startedAt),
    ...(limit === undefined ? {} : { limit }),
    violations: guard?.violations() ?? [],
    ...(failure === undefined ? {} : { error: errorRecord(failure) }),
  };
}
