// Following a run: each event is recorded first, then counted, told and printed. A reader of stdout that goes away stops
// the run, and one that does not read holds it up no longer than it may take; what was received is recorded all the same.

import type { Hooks } from "../agent/hooks.ts";
import { runAgent } from "../agent/loop.ts";
import type { AgentRun } from "../agent/run.ts";
import { type AppError, toAppError } from "../base/errors.ts";
import { orAborted } from "../base/or-aborted.ts";
import { createRecorder } from "../recorder/recorder.ts";
import type { CommandContext } from "./command.ts";
import { startDeadline } from "./run-deadline.ts";
import { runNotices } from "./run-notices.ts";
import type { RunOutput } from "./run-output.ts";
import { outputName } from "./run-outputs.ts";
import type { RunReport } from "./run-report.ts";
import type { OpenedSession } from "./run-writer.ts";

export interface FollowedRun {
  readonly report: RunReport;
  readonly output: RunOutput;
  readonly run: AgentRun;
  readonly session: OpenedSession;
  /** Told of each event after it was recorded; the run waits for their programs only when it is over. */
  readonly hooks: Hooks;
}

/** Runs to the end. Throws what the writer threw, or `AppError` (`pipe`) if stdout was closed. */
export async function followRun(context: CommandContext, parts: FollowedRun): Promise<void> {
  const { report, output, run, session, hooks } = parts;
  const { tracker } = report;
  const recorder = createRecorder(session.writer, session.contextIds);
  const notices = runNotices(context.io, showsProgress(context));
  const stop = new AbortController();
  let broken: AppError | undefined;
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const inTime = startDeadline(run.limits.maxTimeMs, signal);
  try {
    for await (const event of runAgent(run, signal)) {
      recorder.record(event);
      hooks.notify(event);
      tracker.take(event);
      const cutsText = event.type === "ttsr_triggered";
      if (!cutsText) notices.event(event);
      if (broken === undefined) {
        const written = output.event(event).catch((thrown) => {
          broken ??= toAppError(thrown);
          // Where the limit of time gave the reader up, the run is about to end at it, and says so itself.
          if (broken.kind !== "limit") stop.abort(broken);
        });
        await orAborted(written, inTime.signal).catch(() => {});
      }
      // On a terminal that shows both streams, the line that was cut has ended before stderr says why.
      if (cutsText) notices.event(event);
    }
  } finally {
    for (const failure of await hooks.settle(inTime.signal)) context.io.warning(failure);
    inTime.stop();
  }
  if (broken !== undefined) throw broken;
}

/** Every line of a terminal is taken where events go to it. */
function showsProgress(context: CommandContext): boolean {
  return outputName(context) !== "jsonl" || !context.io.stdout.isTerminal;
}
