// Whether a process that a test knows by its number still runs.

import { readFileSync } from "node:fs";

/** A zombie has ended; who waits for it is another matter. For systems with `/proc`. */
export function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
