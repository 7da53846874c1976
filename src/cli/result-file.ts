// `--result`: the record of how a command ended, in a file beside whatever it prints.

import { writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { AppError } from "../base/errors.ts";
import { statOf } from "../base/stat.ts";
import { reasonOf } from "../base/system-error.ts";
import type { CommandContext } from "./command.ts";

/** Where the record goes: `file` is taken from `cwd`; without one, nowhere. */
export interface ResultPlace {
  readonly file: string | undefined;
  readonly cwd: string;
}

/** What `--result` says; nowhere, and a `fault` (`usage`), if that is no place for a record: before a model works in vain. */
export function resultPlace({ flags, cwd }: Pick<CommandContext, "flags" | "cwd">): {
  readonly to: ResultPlace;
  readonly fault: AppError | undefined;
} {
  const file = flags.text("result");
  const fault = file === undefined ? undefined : faultOf(file, resolve(cwd, file));
  return { to: { file: fault === undefined ? file : undefined, cwd }, fault };
}

function faultOf(file: string, path: string): AppError | undefined {
  if (file === "" || statOf(path)?.isDirectory() === true)
    return new AppError("usage", `--result: "${file}" is no file`);
  if (statOf(dirname(path))?.isDirectory() === true) return undefined;
  return new AppError("usage", `--result: there is no directory for "${file}"`, { hint: "Make it first." });
}

/**
 * Writes the record. Never rejects: gives what it failed with (`failed`), because a command that failed before has a
 * better reason to end with.
 */
export async function writeResultFile(
  record: object,
  { file, cwd }: ResultPlace,
): Promise<AppError | undefined> {
  if (file === undefined) return undefined;
  try {
    // Asynchronous, for the file may be a pipe that nobody reads.
    await writeFile(resolve(cwd, file), `${JSON.stringify(record)}\n`);
    return undefined;
  } catch (cause) {
    return new AppError("failed", `Cannot write the result to "${file}": ${reasonOf(cause)}`, { cause });
  }
}
