// Where a command line that begins with `cd dir &&` runs: in a directory of the working directory or of the read grant
// in which nothing means more than it does in the working directory.

import { resolve } from "node:path";
import { repositoryPath } from "../base/repository.ts";
import { directoryPath, FileError, isMissing, openDirectory } from "./files/open.ts";
import { decide } from "./permissions/decide.ts";
import { DeniedError } from "./permissions/permissions.ts";
import { sensitivityOf } from "./permissions/sensitive.ts";
import { bareRepository } from "./process/git-environment.ts";
import type { Workspace } from "./workspace.ts";

/** The real path that `cd` of these directories in turn leads to. Throws `DeniedError`, or `FileError` if it is not there. */
export function enterDirectory(workspace: Workspace, directories: readonly string[]): string {
  const path = directories.reduce((at, directory) => resolve(at, directory), workspace.cwd);
  try {
    using directory = openDirectory(path, (real) => checkDirectory(workspace, real));
    return directory.path;
  } catch (error) {
    throw isMissing(error) ? new FileError(`cd: there is no directory ${path}`) : error;
  }
}

function checkDirectory({ permissions, realCwd }: Workspace, path: string): void {
  if (path === directoryPath(realCwd)) return;
  const read = [...permissions.read, realCwd];
  const denial = decide({ ...permissions, read }, { permission: "read", path });
  if (denial !== undefined) throw new DeniedError(denial);
  // What must not be written must not be where relative paths start either: git judges `.git` by how it is called.
  const what = sensitivityOf(path, "write", permissions);
  if (what !== undefined) throw new DeniedError({ permission: "run", target: `cd ${path}`, reason: what });
}

/**
 * Throws `DeniedError` where git, or a program that starts it, would find another repository than in the working directory:
 * its settings name programs, and nobody has said that they may run.
 */
export function refuseOtherRepository({ realCwd }: Workspace, directory: string): void {
  if (directory === realCwd) return;
  const found = bareRepository(directory) ?? repositoryPath(directory)?.at(-1);
  if (found === undefined || found === repositoryPath(realCwd)?.at(-1)) return;
  throw new DeniedError({
    permission: "run",
    target: `cd ${directory}`,
    reason: `${found} is another repository than that of the working directory, and its settings may name programs`,
  });
}
