// `--max-time` counts from the start of the command: what comes before the first request (stdin, locks, a model that has
// to be asked for its window) ends at the limit too.

import { AppError } from "../base/errors.ts";
import { startTimer } from "../base/timer.ts";

export interface Deadline {
  /** Aborted by the caller's signal, or with an `AppError` (`limit`) when the time is up. */
  readonly signal: AbortSignal;
  /** Milliseconds that are left, at least 0; undefined without a limit. */
  left(): number | undefined;
  stop(): void;
}

/** Starts the time; undefined means that there is no limit. */
export function startDeadline(maxTimeMs: number | undefined, caller: AbortSignal): Deadline {
  const controller = new AbortController();
  const startedAt = performance.now();
  const end = () =>
    controller.abort(new AppError("limit", "The run was ended at its time limit (--max-time)"));
  const stop = maxTimeMs === undefined ? () => {} : startTimer(maxTimeMs, end);
  return {
    signal: AbortSignal.any([caller, controller.signal]),
    left: () =>
      maxTimeMs === undefined ? undefined : Math.max(0, maxTimeMs - (performance.now() - startedAt)),
    stop,
  };
}
