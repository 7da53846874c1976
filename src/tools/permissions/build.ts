// Permissions from settings and flags. A flag wins over the setting of its kind; denials of both hold.

import { platform } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { realPathOf } from "../../base/stat.ts";
import type { Grant, PermissionSettings } from "../../settings/settings.ts";
import type { NameGrant, Permissions } from "./permissions.ts";

export interface PermissionSource {
  readonly settings: PermissionSettings;
  /** What flags say, in the shape of the settings; paths may be relative to `cwd` or begin with `~/`. */
  readonly flags: PermissionSettings;
  /** `-A`: everything that is not denied and needs no naming. */
  readonly all: boolean;
  /** Files that the run itself keeps, absolute. */
  readonly runFiles?: readonly string[];
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Resolves every path through symbolic links. By default only reading inside the working directory is granted. */
export function buildPermissions(source: PermissionSource): Permissions {
  const { settings, flags, all } = source;
  const granted = (flag: Grant, setting: Grant, otherwise: boolean) => [
    ...(all ? [EVERYTHING] : []),
    ...pathsOf(flag ?? setting ?? otherwise, source, source.cwd),
  ];
  const denied = (flag: Grant, setting: Grant) => [
    ...pathsOf(flag, source, EVERYTHING),
    ...pathsOf(setting, source, EVERYTHING),
  ];
  const names = (flag: Grant, setting: Grant) => namesOf(flag ?? (all ? true : setting));
  return {
    read: granted(flags.read, settings.read, true),
    write: granted(flags.write, settings.write, false),
    run: names(flags.run, settings.run),
    env: names(flags.env, settings.env),
    net: (flags.net ?? (all ? true : settings.net)) === true,
    denyRead: denied(flags.deny.read, settings.deny.read),
    denyWrite: denied(flags.deny.write, settings.deny.write),
    denyRun: both(namesOf(flags.deny.run), namesOf(settings.deny.run)),
    own: ownPaths(source),
    runFiles: (source.runFiles ?? []).map(realPathOf),
    foldCase: platform() === "darwin" || platform() === "win32",
  };
}

const EVERYTHING = "/";

type Places = Pick<PermissionSource, "cwd" | "home" | "env">;

/** The real paths of a grant; `true` stands for `whole`. */
function pathsOf(grant: Grant, places: Places, whole: string): readonly string[] {
  if (grant === undefined || grant === false) return [];
  if (grant === true) return [realPathOf(whole)];
  return grant.map((path) => realPathOf(grantedPath(path, places)));
}

/** The absolute path that a grant means, links not followed. */
export function grantedPath(path: string, { cwd, home }: Pick<Places, "cwd" | "home">): string {
  if (isAbsolute(home) && (path === "~" || path.startsWith("~/"))) return join(home, path.slice(1));
  return resolve(cwd, path);
}

function namesOf(grant: Grant): NameGrant {
  if (grant === undefined || grant === false) return [];
  return grant === true ? "all" : grant;
}

function both(first: NameGrant, second: NameGrant): NameGrant {
  return first === "all" || second === "all" ? "all" : [...first, ...second];
}

/** Where the program keeps sessions and settings. */
function ownPaths({ cwd, home, env }: Places): readonly string[] {
  const own = env["AGENT_HOME"];
  const data = env["XDG_DATA_HOME"];
  const config = env["XDG_CONFIG_HOME"];
  const homes = isAbsolute(home) ? [join(home, ".local/share/agent"), join(home, ".config/agent")] : [];
  const paths = [
    ...(own ? [resolve(cwd, own)] : []),
    ...(data ? [resolve(cwd, data, "agent")] : []),
    ...(config ? [resolve(cwd, config, "agent")] : []),
    ...homes,
  ];
  return paths.map(realPathOf);
}
