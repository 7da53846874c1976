// Looking at a path that somebody else wrote: a session's directory, a word of the command line.

import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * What stands at the path, links followed. `undefined` if nothing can be seen there, for whatever reason: missing, a NUL
 * character in it, too long a name, a circle of links, no permission on the way.
 */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Whether anything can be seen at the path, a link that leads nowhere too. */
export function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The path with every link in it followed; `undefined` where that cannot be done. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The same, and the path as it is where that cannot be done. */
export function realOf(path: string): string {
  return realPath(path) ?? path;
}

/** The same, and of a path that is not there, as far as it is: what would be made there would stand there. */
export function realPathOf(path: string): string {
  const real = realPath(path);
  if (real !== undefined) return real;
  const parent = dirname(path);
  return parent === path ? path : join(realPathOf(parent), basename(path));
}

/** What a directory holds; nothing for one that is not there or cannot be read. */
export function entriesIn(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
