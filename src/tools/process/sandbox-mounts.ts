// What of the file system a command in the sandbox sees, and what it may write. The state of a moment: it is made for each
// command, because the command before may have changed what paths mean.

import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { directoriesUp } from "../../base/repository.ts";
import { realPathOf, statOf } from "../../base/stat.ts";
import { covers, decide } from "../permissions/decide.ts";
import type { Permissions } from "../permissions/permissions.ts";
import { HOME_SECRETS } from "../permissions/sensitive.ts";

export interface SandboxPlace {
  readonly cwd: string;
  readonly realCwd: string;
  /** Where the program starts, if not in `realCwd`; a real path. */
  readonly start?: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly permissions: Permissions;
}

/** What of the sandbox is its own, or what the kernel makes. */
const PRIVATE = ["/tmp", "/run", "/proc", "/dev"];

export interface SandboxMounts {
  readonly options: readonly string[];
  /** Directories that are not there and that bubblewrap makes to mount on; the innermost first. */
  readonly made: readonly string[];
}

/** Later mounts lie over earlier ones: the whole system first, then what is private, granted, protected and hidden. */
export function sandboxMounts(place: SandboxPlace): SandboxMounts {
  const { realCwd, permissions } = place;
  const grants = writableOf(place);
  const { roots } = grants;
  const { repositories, kept, missing } = protectedOf(place, grants);
  const denied = [...permissions.denyWrite, ...keptFiles(permissions)].filter(
    (path) => path !== "/" && fs.existsSync(path),
  );
  const hidden = hiddenPaths(place);
  const options = [
    "--unshare-all",
    ...(permissions.net ? ["--share-net"] : []),
    "--die-with-parent",
    ...["--cap-drop", "ALL"],
    ...[grants.everything ? "--bind" : "--ro-bind", "/", "/"],
    ...["--dev", "/dev"],
    ...["--proc", "/proc"],
    ...["--tmpfs", "/tmp"],
    ...runtimeDirectory(permissions.net),
    ...(covers(["/tmp"], realCwd, false) ? readOnly(realCwd) : []),
    ...[...roots, ...pins([realCwd, ...denied, ...hidden], grants), ...repositories].flatMap(writable),
    ...kept.flatMap(readOnly),
    // What a grant names inside of it.
    ...roots.filter((root) => covers(kept, root, false)).flatMap(writable),
    ...missing.flatMap((path) => ["--tmpfs", path, "--remount-ro", path]),
    ...denied.flatMap(readOnly),
    ...hidden.flatMap(hide),
    ...["--chdir", place.start ?? realCwd],
  ];
  return { options, made: missingDirectories(missing) };
}

interface Writable {
  readonly everything: boolean;
  /** The grants but that of everything, and the working directory if one covers it: what is a mount cannot be renamed. */
  readonly roots: readonly string[];
  /** Whether the command could write the path, were nothing kept from it. */
  has(path: string): boolean;
}

function writableOf({ permissions, realCwd }: SandboxPlace): Writable {
  const granted = permissions.denyWrite.includes("/") ? [] : permissions.write.filter(isStillReal);
  const all = covers(granted, realCwd, permissions.foldCase) ? [...granted, realCwd] : granted;
  const roots = [...new Set(all)].filter((path) => path !== "/").sort();
  const everything = granted.includes("/");
  const has = (path: string) => covers(roots, path, false) || (everything && !covers(PRIVATE, path, false));
  return { everything, roots, has };
}

/** What the run itself keeps, as far as there are files already and no grant names them. */
function keptFiles(permissions: Permissions): readonly string[] {
  return permissions.runFiles.filter(
    (path) =>
      statOf(path)?.isFile() === true && decide(permissions, { permission: "write", path }) !== undefined,
  );
}

/** A grant is a real path; where it is none by now, a command has put a link in its place, which may lead anywhere. */
function isStillReal(path: string): boolean {
  return fs.existsSync(path) && realPathOf(path) === path;
}

/** Sockets of services stand in /run; a read-only mount would not keep a program from connecting. */
function runtimeDirectory(net: boolean): readonly string[] {
  if (!fs.existsSync("/run")) return [];
  const resolver = "/run/systemd/resolve";
  return ["--tmpfs", "/run", ...(net && fs.existsSync(resolver) ? ["--ro-bind", resolver, resolver] : [])];
}

interface Protected {
  /** `.git` directories: mounts of their own, so that they cannot be renamed with what is kept in them. */
  readonly repositories: readonly string[];
  readonly kept: readonly string[];
  /** What is not there: an empty directory lies over its place, so that nothing can be made there. */
  readonly missing: readonly string[];
}

/** What decides which programs run outside the sandbox later, where a grant covers it and does not name it. */
function protectedOf({ realCwd, permissions }: SandboxPlace, { roots, has }: Writable): Protected {
  // Also where a run in this directory looks for `.agent`, and git for `.git`.
  const above = directoriesUp(realCwd).filter(has);
  const guarded = [...new Set([...roots, ...above])];
  const gits = guarded.map((root) => join(root, ".git"));
  const repositories = gits.filter(isDirectory);
  const hooks = repositories.map((git) => join(git, "hooks"));
  const isKept = (path: string) => decide(permissions, { permission: "write", path }) !== undefined;
  const kept = [
    ...hooks,
    ...repositories.map((git) => join(git, "config")),
    // In a work tree it is a file that says where the repository is.
    ...gits.filter((git) => !isDirectory(git)),
    ...guarded.map((root) => join(root, ".agent")),
  ];
  const wouldBe = [...hooks, ...above.map((root) => join(root, ".agent")), ...permissions.own.filter(has)];
  return {
    repositories,
    kept: kept.filter((path) => fs.existsSync(path) && isKept(path)),
    missing: wouldBe.filter((path) => !fs.existsSync(path) && isKept(path) && canBeMade(path)),
  };
}

/** And no link to one. */
function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() === true && realPathOf(path) === path;
}

/** Where we can make nothing, the command in the sandbox cannot either. */
function canBeMade(path: string): boolean {
  const parent = dirname(path);
  if (!fs.existsSync(parent)) return parent !== path && canBeMade(parent);
  try {
    fs.accessSync(parent, fs.constants.W_OK);
    return fs.statSync(parent).isDirectory();
  } catch {
    return false;
  }
}

function missingDirectories(paths: readonly string[]): readonly string[] {
  const missing = new Set<string>();
  for (const path of paths)
    for (let at = path; !fs.existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.add(at);
  return [...missing].sort().toReversed();
}

function writable(path: string): readonly string[] {
  return ["--bind", path, path];
}

/** The file that is meant: bubblewrap cannot mount on a link. */
function readOnly(path: string): readonly string[] {
  const real = realPathOf(path);
  return ["--ro-bind", real, real];
}

/**
 * The directories on the way from a grant to what is kept inside it, outermost first. They are mounts too: a directory that
 * is none could be renamed, and the next command would find what is kept under a name that nobody knows.
 */
function pins(kept: readonly string[], { roots, has }: Writable): readonly string[] {
  const between = new Set<string>();
  for (const path of kept)
    for (let at = dirname(path); at !== "/" && has(at); at = dirname(at)) between.add(at);
  return [...between].filter((path) => !roots.includes(path)).sort();
}

/** Real paths: bubblewrap cannot mount on a link. Denied ones, our own files, and the user's secrets unless a grant names them. */
function hiddenPaths({ home, permissions }: SandboxPlace): readonly string[] {
  const { own, denyRead } = permissions;
  const readable = { ...permissions, read: ["/", ...permissions.read] };
  const secrets = HOME_SECRETS.map((name) => join(home, name)).filter(
    (path) => decide(readable, { permission: "read", path }) !== undefined,
  );
  return [...own, ...denyRead, ...secrets]
    .filter((path) => path !== "/" && fs.existsSync(path))
    .map(realPathOf);
}

function hide(path: string): readonly string[] {
  return fs.statSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}
