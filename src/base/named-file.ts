// A text file that somebody named: a file, or a pipe as the shell's `<(…)` makes one.

import { readFileSync, statSync } from "node:fs";

/** The text of the file. Throws as `fs` does; `ENXIO` for a device, which may have no end. */
export function readNamedFile(path: string): string {
  const stat = statSync(path);
  if (stat.isCharacterDevice() || stat.isBlockDevice() || stat.isSocket()) {
    // /dev/null is an empty file to everybody.
    if (path === "/dev/null") return "";
    throw Object.assign(new Error(`"${path}" is not a regular file`), { code: "ENXIO" });
  }
  return readFileSync(path, "utf8");
}
