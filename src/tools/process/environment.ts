// The environment of every program that tools start: nothing of ours but what is named.

import { delimiter, isAbsolute } from "node:path";
import { realPathOf } from "../../base/stat.ts";
import { covers } from "../permissions/decide.ts";
import type { NameGrant, Permissions } from "../permissions/permissions.ts";

/** Marks every process of a run, so that those which left their group are found again. */
export const MARKER = "AGENT_PROCESS";

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/** `PATH` (absolute directories only), `HOME`, `LANG`, `TERM=dumb`, and what is granted. */
export function cleanEnvironment(env: Environment, granted: NameGrant): Record<string, string> {
  const names = granted === "all" ? Object.keys(env) : granted;
  const kept = Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  return {
    ...kept,
    PATH: absoluteOnly(env["PATH"]) ?? DEFAULT_PATH,
    HOME: env["HOME"] ?? "/",
    LANG: env["LANG"] ?? "C.UTF-8",
    TERM: "dumb",
  };
}

export interface LimitedPlace {
  readonly realCwd: string;
  readonly permissions: Permissions;
}

/**
 * Where programs are limited, those that they start in turn come from the system too: not from directories of `PATH`
 * that the working directory brings along or the run may write.
 */
export function limitedEnvironment(
  clean: Readonly<Record<string, string>>,
  place: LimitedPlace,
): Record<string, string> {
  const { permissions } = place;
  const untrusted = permissions.write.includes("/") ? ["/"] : untrustedPlaces(place);
  const directories = (clean["PATH"] ?? "")
    .split(delimiter)
    .filter((path) => !covers(untrusted, realPathOf(path), permissions.foldCase));
  return {
    ...clean,
    PATH: directories.length === 0 ? DEFAULT_PATH : directories.join(delimiter),
  };
}

/**
 * Where a program may be one that the run made or a repository brings along. The whole file system is none of these
 * places, be it granted or the working directory: it cannot tell programs of the system from others.
 */
export function untrustedPlaces({ realCwd, permissions }: LimitedPlace): readonly string[] {
  return [...permissions.write, realCwd].filter((path) => path !== "/");
}

/** A relative or empty entry of `PATH` is the current directory, where a repository would decide what `git` is. */
function absoluteOnly(path: string | undefined): string | undefined {
  const kept = (path ?? "").split(delimiter).filter(isAbsolute);
  return kept.length === 0 ? undefined : kept.join(delimiter);
}
