// Ends that come from outside: what an aborted signal means as a failure, and waiting that an abort cuts short.

import { AppError } from "../base/errors.ts";
import { startTimer } from "../base/timer.ts";
import type { ModelFailure } from "./model.ts";

/** The failure of a stream whose signal was aborted: the reason's kind if it is an `AppError`, else `cancelled`. */
export function abortFailure(signal: AbortSignal): ModelFailure {
  const reason: unknown = signal.reason;
  if (reason instanceof AppError) {
    const hint = reason.hint === undefined ? {} : { hint: reason.hint };
    return { kind: reason.kind, message: reason.message, retryable: false, ...hint };
  }
  return { kind: "cancelled", message: "The request was cancelled", retryable: false };
}

/** Waits; resolves early when the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      stop();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const stop = startTimer(ms, end);
    signal.addEventListener("abort", end, { once: true });
  });
}
