// Following a run: each event is recorded first, then counted, told and printed. A reader of stdout that goes away stops
// the run; what was received until then is recorded all the same.

import type { Hooks } from "../agent/hooks.ts";
import { runAgent } from "../agent/loop.ts";
import type { AgentRun } from "../agent/run.ts";
import { type AppError, toAppError } from "../base/errors.ts";
import { createRecorder } from "../recorder/recorder.ts";
import type { CommandContext } from "./command.ts";
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
          stop.abort(broken);
        });
        await orAborted(written, context.signal);
      }
      // On a terminal that shows both streams, the line that was cut has ended before stderr says why.
      if (cutsText) notices.event(event);
    }
  } finally {
    for (const failure of await hooks.settle(signal)) context.io.warning(failure);
  }
  if (broken !== undefined) throw broken;
}

/** Every line of a terminal is taken where events go to it. */
function showsProgress(context: CommandContext): boolean {
  return outputName(context) !== "jsonl" || !context.io.stdout.isTerminal;
}

/**
 * Resolves with `done`, or when the signal aborts: after a signal nothing waits for a reader of stdout that does not
 * read, so that what came is recorded.
 */
function orAborted(done: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      signal.removeEventListener("abort", end);
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
    done.then(end);
  });
}
