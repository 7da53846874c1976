// Progress on stderr: on a terminal one line that is written over, else a line now and then, so that a log shows that
// something still goes on.

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

/** Takes the cursor to the start of the line and clears it. */
export const CLEAR_LINE = "\r\u001b[K";

/** The line of a terminal that is written over and over. The terminal cuts it: a row that wrapped would stay behind. */
export function updatingLine(text: string): string {
  return `${CLEAR_LINE}\u001b[?7l${text.replaceAll("\n", " ").slice(0, 200)}\u001b[?7h`;
}
