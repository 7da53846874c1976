// What an aborted signal means as a failure of the model.

import { AppError } from "../base/errors.ts";
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
