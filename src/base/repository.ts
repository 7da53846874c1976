// Where a repository ends: what counts for a project is looked for from a directory up to the root of its repository.

import { dirname, join } from "node:path";
import { isThere } from "./stat.ts";

/** The directory and those above it up to the first that has `.git`, whatever that is; `undefined` if none has. */
export function repositoryPath(directory: string): readonly string[] | undefined {
  const path: string[] = [];
  for (let at = directory; ; at = dirname(at)) {
    path.push(at);
    if (isThere(join(at, ".git"))) return path;
    if (dirname(at) === at) return undefined;
  }
}

/** The directory and those above it up to the repository's root, the nearest first; outside a repository only itself. */
export function directoriesUp(directory: string): readonly string[] {
  return repositoryPath(directory) ?? [directory];
}
