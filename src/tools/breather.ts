// Long synchronous work lets signals and timers in between.

const SLICE_MS = 20;
/** Of work line by line, a look at the clock this often is enough. */
export const LINES_A_BREATH = 1_000;

/** A function to await in a loop: it returns at once, but every 20 ms the event loop has its turn. */
export function breather(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < SLICE_MS) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    last = performance.now();
  };
}
