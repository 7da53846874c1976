// Walking a directory tree without ever leaving it: each directory is opened inside the open one above it, and symbolic
// links are not followed. What git ignores, and .git itself, is left out.

import * as fs from "node:fs";
import { join } from "node:path";
import type { IgnoreRules } from "./ignore.ts";
import { directoryPath, type OpenDirectory, openChild } from "./open.ts";

export interface Found {
  /** Absolute real path. */
  readonly path: string;
  readonly name: string;
  readonly kind: "file" | "directory" | "link";
  /** The open directory that holds it; valid until the next one is asked for. */
  readonly parent: OpenDirectory;
}

export interface WalkOptions {
  readonly ignored: IgnoreRules;
  /** False for directories that may not be read: they are not entered. */
  readonly mayEnter: (path: string) => boolean;
  readonly signal: AbortSignal;
}

/** Deeper trees exist only where something is wrong, and each level holds a descriptor. */
const MAX_DEPTH = 200;

/** Entries in the order of their names, each directory before what is in it. Directories that cannot be opened are passed over. */
export function* walk(directory: OpenDirectory, options: WalkOptions, depth = 0): Generator<Found, void> {
  const rules = options.ignored.enter(directory);
  for (const entry of sortedEntries(directory)) {
    if (options.signal.aborted) return;
    const path = join(directory.path, entry.name);
    const kind = kindOf(entry);
    if (kind === undefined || (entry.name === ".git" && kind !== "link")) continue;
    if (rules.ignores(path, kind === "directory")) continue;
    yield { path, name: entry.name, kind, parent: directory };
    if (kind !== "directory" || depth >= MAX_DEPTH || !options.mayEnter(directoryPath(path))) continue;
    const child = tryOpen(directory, entry.name);
    if (child === undefined) continue;
    try {
      yield* walk(child, { ...options, ignored: rules }, depth + 1);
    } finally {
      child[Symbol.dispose]();
    }
  }
}

function sortedEntries(directory: OpenDirectory): readonly fs.Dirent[] {
  try {
    const entries = fs.readdirSync(directory.at("."), { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function tryOpen(directory: OpenDirectory, name: string): OpenDirectory | undefined {
  try {
    return openChild(directory, name);
  } catch {
    return undefined;
  }
}

/** Sockets, pipes and devices are nothing to search. */
function kindOf(entry: fs.Dirent): Found["kind"] | undefined {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : undefined;
}
