// The one error class. Its kind decides the exit code (src/cli/exit.ts has the table); whatever else is thrown is a bug.

/** Why something ended. The names appear as `error.kind` in JSON output and never change meaning. */
export type ErrorKind =
  | "failed"
  | "usage"
  | "nothing"
  | "cancelled"
  | "limit"
  | "rule"
  | "input"
  | "notFound"
  | "unavailable"
  | "bug"
  | "locked"
  | "denied"
  | "settings"
  | "sighup"
  | "sigint"
  | "sigterm"
  | "pipe";

/** What an error may carry beside its kind and message. */
export interface ErrorDetail {
  /** The error that caused this one; shown with AGENT_DEBUG=1. */
  readonly cause?: unknown;
  /** What to do about it, one sentence; printed on a second line. */
  readonly hint?: string;
}

/** An expected end. `message` says what was being done, to what, and why it failed. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly kind: ErrorKind;
  readonly hint: string | undefined;

  constructor(kind: ErrorKind, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.kind = kind;
    this.hint = detail.hint;
  }
}

/** True for kinds where the same call may work later: the server is away, the session is in use. */
export function isRetryable(kind: ErrorKind): boolean {
  return kind === "unavailable" || kind === "locked";
}

/** An `AppError` as it is; anything else becomes kind `bug` with the original as its cause. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError("bug", messageOf(error), { cause: error });
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a system error (`ENOENT`, `EPIPE`, …), if it has one. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
