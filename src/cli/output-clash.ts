// `--result` and `--record` held against every other file that a command line names: what one of them writes must never
// be the session, its lock, or something that the same command reads.

import { resolve } from "node:path";
import { AppError } from "../base/errors.ts";
import { isSameFile } from "../base/same-file.ts";
import { realPathOf, statOf } from "../base/stat.ts";
import { lockPath } from "../session/lock.ts";
import type { CommandContext } from "./command.ts";
import { replayFile } from "./replay-file.ts";
import { locateSession } from "./session-arg.ts";

/** A file that is read or written: `label` says by which word, `path` is absolute. */
export interface NamedFile {
  readonly label: string;
  readonly path: string;
}

/** The `AppError` (`usage`) of an output that is also one of the others; undefined if it is none. */
export function outputClash(output: NamedFile, others: readonly NamedFile[]): AppError | undefined {
  const other = others.find(({ path }) => isSameFile(path, output.path));
  if (other === undefined) return undefined;
  const { label, path } = output;
  return new AppError("usage", `${label} and ${other.label} are the same file: "${path}"`, {
    hint: `Give ${label} a file of its own.`,
  });
}

/** The files that flags of both commands name, `--result` and `--record` apart. */
export function sharedFiles({ flags, cwd }: CommandContext): readonly NamedFile[] {
  const into = flags.text("into");
  const config = flags.text("config");
  const replay = replayFile(flags.text("model") ?? "", cwd);
  return [
    ...(into === undefined ? [] : sessionFile("--into", resolve(cwd, into))),
    ...(config === undefined ? [] : [{ label: "--config", path: resolve(cwd, config) }]),
    ...(replay === undefined ? [] : [{ label: "--model", path: replay }]),
  ];
}

/**
 * The file and the lock of the session that a word means. For one that is not found it is the file that the word would
 * be. Sessions of other agents are not looked for twice: they are never written to, and no output takes their place.
 */
export function sessionFiles(context: CommandContext, label: string, text: string): readonly NamedFile[] {
  if (text === "-" || context.flags.has("from")) return [];
  return sessionFile(label, locatedPath(context, text) ?? resolve(context.cwd, text));
}

function locatedPath(context: CommandContext, text: string): string | undefined {
  try {
    const place = locateSession(context, text);
    return place.kind === "file" ? place.path : undefined;
  } catch (error) {
    // Why it is not found is told by whoever opens it.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function sessionFile(label: string, path: string): readonly NamedFile[] {
  // The lock stands beside the file itself, whatever link leads to it.
  const lock = { label: `the lock of ${label}`, path: lockPath(realPathOf(path)) };
  return statOf(path)?.isDirectory() === true ? [] : [{ label, path }, lock];
}
