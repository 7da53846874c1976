// `--result`: the record of how a command ended, in a file beside whatever it prints.

import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { AppError } from "../base/errors.ts";
import { reasonOf } from "../base/system-error.ts";

/**
 * Writes the record to `file`, which is taken from `cwd`; without a name nothing is done. Never rejects: gives what it
 * failed with (`failed`), because a command that failed before has a better reason to end with.
 */
export async function writeResultFile(
  record: object,
  { file, cwd }: { readonly file: string | undefined; readonly cwd: string },
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
