// `--result`: the record of how a command ended, in a file beside whatever it prints. What stands there after a run is of
// that run: the record of the one before is gone from its beginning on.

import { truncateSync, writeFile, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { AppError } from "../base/errors.ts";
import { isOwnDescriptor, ownDescriptor } from "../base/own-descriptor.ts";
import { realPathOf, statOf } from "../base/stat.ts";
import { reasonOf } from "../base/system-error.ts";
import { jsonText } from "../base/well-formed.ts";
import type { CommandContext } from "./command.ts";
import { type NamedFile, outputClash } from "./output-clash.ts";
import { recordFault, resultFault } from "./output-fault.ts";

/** Where the record goes: `file` is taken from `cwd`; without one, nowhere. */
export interface ResultPlace {
  readonly file: string | undefined;
  readonly cwd: string;
  /** What `file` meant, links followed, before tools could put something else in its place. */
  readonly real?: string | undefined;
}

interface CheckedPlace {
  readonly to: ResultPlace;
  /** Why the command must not begin (`usage`). */
  readonly fault: AppError | undefined;
}

/**
 * Looks at `--result` and `--record` before anything else is opened or written, and empties an old `--result`. `others`
 * gives every other file that the command line names. A `--result` that is at fault is not written to.
 */
export function resultPlace(context: CommandContext, others: () => readonly NamedFile[]): CheckedPlace {
  const { flags, cwd } = context;
  const file = flags.text("result");
  const record = flags.text("record");
  if (file === undefined && record === undefined) return { to: { file, cwd }, fault: undefined };
  const rest = others();
  const recording = record === undefined ? [] : [{ label: "--record", path: resolve(cwd, record) }];
  const fault = file === undefined ? undefined : prepare(file, cwd, [...recording, ...rest]);
  if (fault !== undefined) return { to: { file: undefined, cwd }, fault };
  const real = file === undefined ? undefined : realPathOf(resolve(cwd, file));
  const [output] = recording;
  return {
    to: { file, cwd, real },
    fault: output && (outputClash(output, rest) ?? recordFault(record ?? "", cwd)),
  };
}

function prepare(file: string, cwd: string, others: readonly NamedFile[]): AppError | undefined {
  const path = resolve(cwd, file);
  const fault = outputClash({ label: "--result", path }, others) ?? resultFault(file, cwd);
  if (fault !== undefined || statOf(path)?.isFile() !== true || isOwnDescriptor(path)) return fault;
  try {
    // Not removed: it may be a link, or all that we may write to in its directory.
    truncateSync(path);
    return undefined;
  } catch (cause) {
    return new AppError("usage", `--result: cannot write to "${file}": ${reasonOf(cause)}`, { cause });
  }
}

/** Writes the record of a command line that could not be parsed, if `file` is a place for it; gives why it did not. */
export async function writeRefusal(
  record: object,
  place: { readonly file: string; readonly cwd: string },
): Promise<AppError | undefined> {
  return resultFault(place.file, place.cwd) ?? (await writeResultFile(record, place));
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
    const descriptor = statOf(path)?.isFile() === true ? ownDescriptor(path) : undefined;
    // Asynchronous, for the file may be a pipe that nobody reads.
    await promisify(writeFile)(descriptor ?? path, `${jsonText(record)}\n`);
    return undefined;
  } catch (cause) {
    return new AppError("failed", `Cannot write the result to "${file}": ${reasonOf(cause)}`, { cause });
  }
}

/** Puts another record in its place while the process exits and nothing can be awaited: in a file only, not in a pipe. */
export function rewriteResultFile(record: object, { file, cwd, real }: ResultPlace): void {
  if (file === undefined) return;
  const path = resolve(cwd, file);
  if (statOf(path)?.isFile() !== true || isOwnDescriptor(path)) return;
  if (real === undefined || realPathOf(path) === real) writeFileSync(path, `${jsonText(record)}\n`);
}
