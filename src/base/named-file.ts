// A text file that somebody named: a file, or a pipe as the shell's `<(…)` makes one.

import { readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { orAborted } from "./or-aborted.ts";

/**
 * The text of the file. Rejects as `fs` does; with `ENXIO` for a device, which may have no end; with the signal's reason
 * while it waits for a pipe, which nobody may ever open to write.
 */
export async function readNamedFile(path: string, signal: AbortSignal): Promise<string> {
  const stat = statSync(path);
  if (stat.isCharacterDevice() || stat.isBlockDevice() || stat.isSocket()) {
    // /dev/null is an empty file to everybody.
    if (path === "/dev/null") return "";
    throw Object.assign(new Error(`"${path}" is not a regular file`), { code: "ENXIO" });
  }
  return stat.isFIFO() ? await orAborted(readFile(path, "utf8"), signal) : readFileSync(path, "utf8");
}
