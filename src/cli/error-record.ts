// An error as every JSON output has it.

import { type AppError, type ErrorKind, isRetryable } from "../base/errors.ts";

/** The `error` member of every JSON output. */
export function errorRecord(error: AppError): {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint?: string;
  readonly retryable: boolean;
} {
  const { kind, message, hint } = error;
  return { kind, message, ...(hint === undefined ? {} : { hint }), retryable: isRetryable(kind) };
}
