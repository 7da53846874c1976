// Finding programs: those of the system first where a repository must not be able to bring its own.

import * as fs from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** Where systems keep the programs that this one starts itself. */
const SYSTEM_DIRECTORIES = [
  "/usr/bin",
  "/bin",
  "/usr/local/bin",
  "/run/current-system/sw/bin",
  "/opt/homebrew/bin",
];

/** The first executable file of this name in `path`, of whose directories only absolute ones count, that is accepted. */
export function findInPath(
  name: string,
  path: string,
  accepts: (path: string) => boolean = () => true,
): string | undefined {
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map((directory) => join(directory, name))
    .find((candidate) => isExecutable(candidate) && accepts(candidate));
}

/** A program of the system, else the one that `path` finds. */
export function findSystemProgram(name: string, path: string): string | undefined {
  return findInPath(name, SYSTEM_DIRECTORIES.join(delimiter)) ?? findInPath(name, path);
}

/** A `PATH` with its directories of the system before the others. */
export function systemFirst(path: string): string {
  const all = path.split(delimiter);
  return [...SYSTEM_DIRECTORIES.filter((directory) => all.includes(directory)), ...all].join(delimiter);
}

/** Whether this process may run the file. */
export function isExecutable(path: string): boolean {
  try {
    fs.accessSync(path, fs.constants.X_OK);
    return fs.statSync(path).isFile();
  } catch {
    return false;
  }
}
