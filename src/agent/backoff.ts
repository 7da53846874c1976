// How long to wait before a request is tried again.

const MAX_DELAY_MS = 60_000;

export interface BackoffRequest {
  /** Of the retries, from 1. */
  readonly attempt: number;
  readonly baseDelayMs: number;
  /** What the server asked for; it wins over our own figure when longer. */
  readonly retryAfterMs: number | undefined;
  /** In [0, 1). */
  readonly random: number;
}

/**
 * Milliseconds: the base delay doubled with each attempt, of which the upper half is drawn by chance so that many
 * runs do not come back together, but never less than `Retry-After`. At most a minute of our own.
 */
export function backoffDelay(request: BackoffRequest): number {
  const full = Math.min(MAX_DELAY_MS, request.baseDelayMs * 2 ** (request.attempt - 1));
  const drawn = Math.round(full / 2 + (full / 2) * request.random);
  return Math.max(drawn, request.retryAfterMs ?? 0);
}
