// AGENTS.md and CLAUDE.md: what a project and its user want every agent to know.

import * as fs from "node:fs";
import { join, relative, sep } from "node:path";
import { leadsOut, leadsUp } from "../base/leads-out.ts";
import { directoriesUp } from "../base/repository.ts";
import type { ContextFile } from "./system-prompt.ts";

/** More than this of one file is left out, and the model is told. */
const MAX_UNITS = 100_000;

export interface ContextFilesRequest {
  readonly cwd: string;
  readonly home: string;
  /** The user's config directory, where an AGENTS.md counts for every project; undefined if there is none. */
  readonly configDirectory: string | undefined;
  /** Whether links may lead from a project's files out of it. */
  readonly trusted: () => boolean;
  /** Told of files that were left out because they do. */
  readonly onIgnored: (path: string) => void;
}

/**
 * `AGENTS.md` of the user's config directory, then `AGENTS.md`, else `CLAUDE.md`, of each directory from the repository
 * root down to the working directory: what is nearest stands last. Files that cannot be read are left out.
 */
export function loadContextFiles(request: ContextFilesRequest): readonly ContextFile[] {
  const { cwd, home, configDirectory } = request;
  const chain = directoriesUp(cwd).toReversed();
  const root = chain[0] ?? cwd;
  const ignores = (path: string) => {
    if (!leadsOut(root, path) || request.trusted()) return false;
    request.onIgnored(path);
    return true;
  };
  const project = chain.flatMap((directory) => firstFile(directory, ["AGENTS.md", "CLAUDE.md"], ignores));
  const all = [
    ...(configDirectory === undefined ? [] : firstFile(configDirectory, ["AGENTS.md"], () => false)),
    ...project,
  ];
  return all.map(({ path, text }) => ({ displayPath: shownPath(path, root, home), text: bounded(text) }));
}

function firstFile(
  directory: string,
  names: readonly string[],
  ignores: (path: string) => boolean,
): readonly { readonly path: string; readonly text: string }[] {
  for (const name of names) {
    const path = join(directory, name);
    try {
      if (!fs.statSync(path).isFile() || ignores(path)) continue;
      return [{ path, text: fs.readFileSync(path, "utf8") }];
    } catch {
      // Not there, or not for us: the next name.
    }
  }
  return [];
}

function shownPath(path: string, root: string, home: string): string {
  const inside = relative(root, path);
  if (!leadsUp(inside)) return inside;
  return path.startsWith(home + sep) ? `~/${relative(home, path)}` : path;
}

function bounded(text: string): string {
  return text.length <= MAX_UNITS
    ? text
    : `${text.slice(0, MAX_UNITS)}\n[The rest of this file was left out.]`;
}
