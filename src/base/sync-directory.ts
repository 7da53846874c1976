// A new name in a directory survives a loss of power once the directory was synced.

import * as fs from "node:fs";
import { codeOf } from "./errors.ts";

/** What file systems and platforms say that sync no directories, and the system of one that may not be read. */
const CANNOT: ReadonlySet<string> = new Set(["EINVAL", "EPERM", "EACCES", "EISDIR", "ENOTSUP", "EOPNOTSUPP"]);

/** Syncs a directory where that can be done; throws as `fs` does where the device fails. */
export function syncDirectory(path: string): void {
  try {
    const fd = fs.openSync(path, "r");
    try {
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    if (!CANNOT.has(codeOf(error) ?? "")) throw error;
  }
}
