// Progress where stderr is no terminal: a line now and then, so that a log shows that something still goes on.

/** A text that stays the same is said again after this many ticks. */
const REPEATED_AFTER = 6;

export interface ProgressLines {
  /** What is going on now; undefined: nothing. */
  show(text: string | undefined): void;
  /** Some time has passed (10 s): gives the line to print, if there is one. */
  tick(): string | undefined;
}

/** At most one line a tick: the newest text if it has changed, or if it was said long ago. */
export function progressLines(): ProgressLines {
  let current: string | undefined;
  let said: string | undefined;
  let silent = 0;
  return {
    show(text) {
      current = text;
    },
    tick() {
      silent += 1;
      if (current === undefined || (current === said && silent < REPEATED_AFTER)) return undefined;
      said = current;
      silent = 0;
      return current;
    },
  };
}
