// Which repositories git may reach where programs are limited, and what of them counts. Variables, because they hold
// whatever a repository is configured to and however a command names it.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { programOf } from "../permissions/command.ts";
import type { ShellLine, SimpleCommand } from "../permissions/shell-line.ts";
import { wordText } from "../permissions/shell-word.ts";

/** What git may speak; `ext::`, `fd::` and transports of programs called `git-remote-…` are not in it. */
const PROTOCOLS = ["git", "http", "https", "ssh"] as const;

/**
 * Variables for a command line. Hooks are other programs and do not run. A push to a path would run the hooks of the
 * repository there, for which git forgets that hooks are turned off: so a line that pushes does not reach repositories
 * by path at all. A directory that only looks like a repository is none: anybody who may write files can make one.
 */
export function gitEnvironment(line: ShellLine): Readonly<Record<string, string>> {
  const gits = line.commands.filter(isGit);
  const pushes = gits.some((command) => command.words.some((word) => wordText(word) === "push"));
  return {
    GIT_ALLOW_PROTOCOL: [...(pushes ? [] : ["file"]), ...PROTOCOLS].join(":"),
    ...settings([
      ["core.hooksPath", "/dev/null"],
      // Not where another program of the line starts git: package managers keep such repositories in their caches.
      ...(gits.length === 0 ? [] : [["safe.bareRepository", "explicit"] as const]),
    ]),
  };
}

/** Settings of git that win over those of files. */
function settings(pairs: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  const members = pairs.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(pairs.length), ...Object.fromEntries(members) };
}

/** Whether a command is git, by whatever path. */
export function isGit(command: SimpleCommand): boolean {
  return /(^|\/)git$/i.test(programOf(command));
}

/**
 * The directory, `cwd` or one above it, that git would take for a repository without being called `.git`: its settings
 * are a file like any other, and may name programs. git 2.38 and later can be told (`safe.bareRepository`).
 */
export function bareRepository(cwd: string): string | undefined {
  for (let at = cwd; !existsSync(join(at, ".git")); at = dirname(at)) {
    const has = (...names: readonly string[]) => names.every((name) => existsSync(join(at, name)));
    if (has("HEAD", "objects", "refs") || has("HEAD", "commondir")) return at;
    if (dirname(at) === at) return undefined;
  }
  return undefined;
}
