// Waiting for what no signal ends by itself: a read of a pipe that stays silent, an `open` of one that nobody writes to.

/** The promise's value, or the signal's reason thrown, whichever comes first. The promise is left to end by itself. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
