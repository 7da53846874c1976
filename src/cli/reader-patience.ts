// How long a reader of our output is waited for. While the command goes on: for ever. Once it was told to end (a signal, the
// limit of time) only while the reader takes something, and not for long.

/** A reader that took nothing for this long is not waited for at the end. Where it reads, the last record still arrives. */
const STUCK_MS = 1_000;
/** At the end a slow reader is waited for no longer than this in all: whoever ends a command waits too. */
const SLOW_MS = 2_000;
/** Before anything is given up, a write that the system has finished meanwhile is heard of. */
const LOOK_MS = 50;

export interface ReaderPatience {
  /** Aborted, with the reason of the end, when the reader is not waited for any more. */
  readonly gaveUp: AbortSignal;
  /** The first signal to abort is the end. */
  endAt(signal: AbortSignal): void;
  /** Something is to be written. */
  begin(): void;
  /** The reader took some of it. */
  headway(): void;
  /** Nothing is to be written any more. */
  rest(): void;
}

/** Begins with nothing to be written. */
export function readerPatience(): ReaderPatience {
  const gaveUp = new AbortController();
  let ended: { readonly by: AbortSignal; readonly at: number } | undefined;
  let busySince: number | undefined;
  let headwayAt = 0;
  /** Milliseconds after the end in which something was to be written, before the current time of that. */
  let waitedMs = 0;
  let look: ReturnType<typeof setTimeout> | undefined;

  const waitingMs = () =>
    ended === undefined || busySince === undefined ? 0 : performance.now() - Math.max(busySince, ended.at);
  const leftMs = () => Math.min(headwayAt + STUCK_MS - performance.now(), SLOW_MS - waitedMs - waitingMs());
  const judge = () => {
    look = undefined;
    if (busySince !== undefined && leftMs() <= 0) gaveUp.abort(ended?.by.reason);
    else watch();
  };
  const watch = () => {
    if (ended === undefined || busySince === undefined || look !== undefined) return;
    look = setTimeout(judge, Math.max(LOOK_MS, leftMs()));
  };
  return {
    gaveUp: gaveUp.signal,
    endAt(signal) {
      const end = () => {
        ended ??= { by: signal, at: performance.now() };
        watch();
      };
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    },
    begin() {
      busySince = performance.now();
      headwayAt = busySince;
      watch();
    },
    headway() {
      headwayAt = performance.now();
    },
    rest() {
      waitedMs += waitingMs();
      busySince = undefined;
      clearTimeout(look);
      look = undefined;
    },
  };
}
