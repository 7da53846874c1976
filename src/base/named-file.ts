// A text file that somebody named: a file, or a pipe as the shell's `<(…)` makes one.

import { readFileSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { AppError, codeOf, type ErrorKind } from "./errors.ts";
import { orAborted } from "./or-aborted.ts";
import { reasonOf } from "./system-error.ts";

export interface NamedFileRequest {
  /** What an error says before its reason: `Cannot replay "x.jsonl"`. */
  readonly cannot: string;
  /** Of an error where something is there that cannot be read. */
  readonly kind: ErrorKind;
  readonly signal: AbortSignal;
}

/**
 * The text of the file. Rejects with `AppError`: `notFound` where there is none, `kind` for what cannot be read, a device
 * too, which may have no end; with the signal's reason while it waits for a pipe, which nobody may ever open to write.
 */
export async function readNamedFile(path: string, request: NamedFileRequest): Promise<string> {
  const { cannot, kind, signal } = request;
  try {
    return await readText(path, signal);
  } catch (cause) {
    signal.throwIfAborted();
    const missing = codeOf(cause) === "ENOENT";
    const why = missing ? "there is no such file" : reasonOf(cause);
    throw new AppError(missing ? "notFound" : kind, `${cannot}: ${why}`, { cause });
  }
}

async function readText(path: string, signal: AbortSignal): Promise<string> {
  const stat = statSync(path);
  if (stat.isCharacterDevice() || stat.isBlockDevice() || stat.isSocket()) {
    // /dev/null is an empty file to everybody.
    if (path === "/dev/null") return "";
    throw Object.assign(new Error(`"${path}" is not a regular file`), { code: "ENXIO" });
  }
  return stat.isFIFO() ? await orAborted(readFile(path, "utf8"), signal) : readFileSync(path, "utf8");
}
