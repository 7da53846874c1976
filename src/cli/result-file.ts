// `--result`: the record of how a command ended, in a file beside whatever it prints.

import { writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { AppError } from "../base/errors.ts";
import { realPathOf, statOf } from "../base/stat.ts";
import { reasonOf } from "../base/system-error.ts";
import type { CommandContext } from "./command.ts";

/** Where the record goes: `file` is taken from `cwd`; without one, nowhere. */
export interface ResultPlace {
  readonly file: string | undefined;
  readonly cwd: string;
  /** What `file` meant, links followed, before tools could put something else in its place. */
  readonly real?: string | undefined;
}

/** What `--result` says; nowhere, and a `fault` (`usage`), if that is no place for a record: before a model works in vain. */
export function resultPlace({ flags, cwd }: Pick<CommandContext, "flags" | "cwd">): {
  readonly to: ResultPlace;
  readonly fault: AppError | undefined;
} {
  const file = flags.text("result");
  if (file === undefined) return { to: { file, cwd }, fault: undefined };
  const path = resolve(cwd, file);
  const fault = faultOf(file, path);
  return fault === undefined
    ? { to: { file, cwd, real: realPathOf(path) }, fault }
    : { to: { file: undefined, cwd }, fault };
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
  { file, cwd, real }: ResultPlace,
): Promise<AppError | undefined> {
  if (file === undefined) return undefined;
  const path = resolve(cwd, file);
  if (real !== undefined && realPathOf(path) !== real)
    return new AppError(
      "failed",
      `Cannot write the result to "${file}": it leads elsewhere than at the start`,
    );
  try {
    // Asynchronous, for the file may be a pipe that nobody reads.
    await writeFile(path, `${JSON.stringify(record)}\n`);
    return undefined;
  } catch (cause) {
    return new AppError("failed", `Cannot write the result to "${file}": ${reasonOf(cause)}`, { cause });
  }
}
