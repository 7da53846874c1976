// Timers of any length. The platform's hold 31 bits (24.8 days) and fire at once for more, so a longer wait is made of
// several.

/** The longest that one timer of the platform can be set to. */
const LONGEST_MS = 2_147_483_647;

/** Runs `action` after `ms`, which may be more than the platform's timers hold; infinity is never. Gives what stops it. */
export function startTimer(ms: number, action: () => void): () => void {
  const until = performance.now() + ms;
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    const left = until - performance.now();
    timer = left > LONGEST_MS ? setTimeout(wait, LONGEST_MS) : setTimeout(action, Math.max(0, left));
  };
  wait();
  return () => clearTimeout(timer);
}

/** Waits; resolves early when the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      stop();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const stop = startTimer(ms, end);
    signal?.addEventListener("abort", end, { once: true });
  });
}
