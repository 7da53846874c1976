// The files that a run itself keeps: its tools must not write them, and a model that may run git should not commit them.

import { basename, resolve } from "node:path";
import { realPathOf, statOf } from "../base/stat.ts";
import { lockPath } from "../session/lock.ts";
import type { Settings } from "../settings/settings.ts";
import { wouldBeAdded } from "../tools/files/ignore.ts";
import type { NameGrant } from "../tools/permissions/permissions.ts";
import type { CommandContext } from "./command.ts";
import type { SessionStart } from "./run-session.ts";

type Place = Pick<CommandContext, "flags" | "cwd">;

/** Absolute paths: the sessions that the flags name and their locks, `--result`, `--record`, and the settings of `--config`. */
export function runFiles(
  place: Place,
  { base, into }: Pick<SessionStart, "base" | "into">,
): readonly string[] {
  return [...withLock(base?.path), ...withLock(into), ...named(place, ["result", "record", "config"])];
}

/** The files in the commands of tools and hooks, absolute: who writes them decides what runs next, outside any sandbox. */
export function programFiles(
  { tools, hooks }: Pick<Settings, "tools" | "hooks">,
  cwd: string,
): readonly string[] {
  const commands = [...tools, ...Object.values(hooks).flat()].map(({ command }) => command);
  return commands.flatMap((command) =>
    command.map((word) => resolve(cwd, word)).filter((path) => statOf(path)?.isFile() === true),
  );
}

/**
 * What to tell where the run may use git and writes files of its own, its session at `session` among them, that
 * `git add -A` would add; `undefined` where there is nothing to tell.
 */
export function commitNotice(place: Place, session: string | undefined, run: NameGrant): string | undefined {
  if (run !== "all" && !run.includes("git")) return undefined;
  const paths = [...withLock(session), ...named(place, ["result", "record"])].map(realPathOf);
  const added = paths.filter(wouldBeAdded).map((path) => basename(path));
  if (added.length === 0) return undefined;
  const list = added.join(", ");
  return `git add -A of the model would commit ${list}: keep what a run writes outside the repository, or in .gitignore`;
}

function withLock(session: string | undefined): readonly string[] {
  return session === undefined ? [] : [session, lockPath(session)];
}

function named({ flags, cwd }: Place, names: readonly string[]): readonly string[] {
  return names.map((name) => flags.text(name)).flatMap((path) => (path ? [resolve(cwd, path)] : []));
}
