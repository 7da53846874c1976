// Whether and when a request that failed is made again: the same for answers and for summaries.

import { sleep } from "../base/timer.ts";
import type { ModelFailure } from "../model/model.ts";
import { backoffDelay } from "./backoff.ts";
import type { AgentEvent } from "./events.ts";
import type { LoopState } from "./state.ts";

/** A server that asks for a longer wait than this has told us to come back another time: exit 69 says the same. */
const MAX_RETRY_AFTER_MS = 10 * 60_000;

/** A failure, and how many attempts have failed, this one included. */
export interface FailedAttempt {
  readonly failure: ModelFailure;
  readonly attempt: number;
}

/** Whether the failure may pass, and the run has attempts and tokens left. */
export function mayRetry({ run, clock }: LoopState, { failure, attempt }: FailedAttempt): boolean {
  const { retryable, retryAfterMs = 0 } = failure;
  if (attempt > run.retry.attempts || clock.tokensLeft === 0) return false;
  return retryable && retryAfterMs <= MAX_RETRY_AFTER_MS;
}

/** Says that the request is made again, and waits until then, or until the run is ended. */
export async function* waitForRetry(
  { run, clock }: LoopState,
  { failure, attempt }: FailedAttempt,
): AsyncGenerator<AgentEvent, void> {
  const { attempts: maxAttempts, baseDelayMs } = run.retry;
  const { retryAfterMs, message: error } = failure;
  const delayMs = backoffDelay({ attempt, baseDelayMs, retryAfterMs, random: Math.random() });
  yield { type: "retry", attempt, maxAttempts, delayMs, error };
  await sleep(delayMs, clock.signal);
}
