// Clearing away a file of our own at the end of some work.

import { rmSync } from "node:fs";

/** Removes a file if it can be done. What ended the work is worth telling, not what then stood in the way of clearing up. */
export function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}
