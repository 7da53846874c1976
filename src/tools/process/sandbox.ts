// Commands inside bubblewrap (Linux): the file system read-only but for the write grants, a private /tmp, processes of
// their own, no network unless it is granted.

import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "../../base/errors.ts";
import { statOf } from "../../base/stat.ts";
import { realPathOf } from "../permissions/build.ts";
import { covers, decide } from "../permissions/decide.ts";
import type { Permissions } from "../permissions/permissions.ts";
import { HOME_SECRETS } from "../permissions/sensitive.ts";
import { cleanEnvironment, untrustedPlaces } from "./environment.ts";
import { findInPath, systemFirst } from "./find-program.ts";

export interface SandboxPlace {
  readonly cwd: string;
  readonly realCwd: string;
  /** Where the program starts, if not in `realCwd`; a real path. */
  readonly start?: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly permissions: Permissions;
}

/** The argument vector that runs `command` inside the sandbox. */
export function sandboxed(command: readonly string[], place: SandboxPlace): readonly string[] {
  return [bubblewrapOf(place) ?? "bwrap", ...sandboxOptions(place), "--", ...command];
}

/** From `PATH`, the system's first, and never one that a command before could have made. */
function bubblewrapOf(place: SandboxPlace): string | undefined {
  const { env, permissions } = place;
  const { PATH = "" } = cleanEnvironment(env, permissions.env);
  const untrusted = untrustedPlaces(place);
  return findInPath("bwrap", systemFirst(PATH), (path) => !covers(untrusted, path, permissions.foldCase));
}

/** Throws `AppError` (`failed`) where bubblewrap is missing or the system does not let it work. */
export function demandSandbox(place: SandboxPlace): void {
  const [program = "", ...args] = sandboxed(["/bin/true"], place);
  const env = cleanEnvironment(place.env, []);
  const trial = spawnSync(program, args, { env, cwd: place.cwd, encoding: "utf8", timeout: 20_000 });
  if (trial.status === 0) return;
  const why =
    trial.error === undefined
      ? trial.stderr.trim() || `it ended with ${trial.status ?? trial.signal}`
      : "bubblewrap (bwrap) is not installed";
  throw new AppError("failed", `--sandbox cannot be used here: ${why}`, {
    hint: "Install bubblewrap and allow unprivileged user namespaces, or run without --sandbox.",
  });
}

/** What of the sandbox is its own, or what the kernel makes. */
const PRIVATE = ["/tmp", "/run", "/proc", "/dev"];

/** Later mounts lie over earlier ones: the whole system first, then what is private, granted, protected and hidden. */
function sandboxOptions(place: SandboxPlace): readonly string[] {
  const { realCwd, permissions } = place;
  const writable = permissions.denyWrite.includes("/") ? [] : permissions.write.filter(isStillReal);
  const cwdIsWritable = covers(writable, realCwd, permissions.foldCase);
  // The working directory is a root of its own inside a wider grant: what is a mount cannot be renamed away.
  const granted = [...writable, ...(cwdIsWritable ? [realCwd] : [])].filter((path) => path !== "/");
  const roots = [...new Set(granted)].sort();
  const everything = writable.includes("/");
  const denied = [...permissions.denyWrite, ...keptFiles(permissions)].filter(
    (path) => path !== "/" && fs.existsSync(path),
  );
  const hidden = hiddenPaths(place);
  return [
    "--unshare-all",
    ...(permissions.net ? ["--share-net"] : []),
    "--die-with-parent",
    ...["--cap-drop", "ALL"],
    ...[everything ? "--bind" : "--ro-bind", "/", "/"],
    ...["--dev", "/dev"],
    ...["--proc", "/proc"],
    ...["--tmpfs", "/tmp"],
    ...runtimeDirectory(permissions.net),
    ...(isBelow("/tmp", realCwd) ? readOnly(realCwd) : []),
    ...roots.flatMap(asItIs),
    ...pins([realCwd, ...denied, ...hidden], roots, everything).flatMap(asItIs),
    ...roots.flatMap(protections),
    ...denied.flatMap(readOnly),
    ...hidden.flatMap(hide),
    ...["--chdir", place.start ?? realCwd],
  ];
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

/**
 * What decides which programs run outside the sandbox later stays read-only inside a write grant. `.git` is a mount of its
 * own, so that it cannot be renamed with what is protected in it, and hooks that are not there cannot be made.
 */
function protections(root: string): readonly string[] {
  const git = join(root, ".git");
  const hooks = join(git, "hooks");
  const inGit = () => [
    ...asItIs(git),
    ...(fs.existsSync(hooks) ? readOnly(hooks) : ["--tmpfs", hooks, "--remount-ro", hooks]),
    ...[join(git, "config")].filter(fs.existsSync).flatMap(readOnly),
  ];
  const isDirectory = statOf(git)?.isDirectory() === true && realPathOf(git) === git;
  return [
    // In a work tree `.git` is a file that says where the repository is.
    ...(isDirectory ? inGit() : [git].filter(fs.existsSync).flatMap(readOnly)),
    ...[join(root, ".agent")].filter(fs.existsSync).flatMap(readOnly),
  ];
}

function asItIs(path: string): readonly string[] {
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
function pins(kept: readonly string[], roots: readonly string[], everything: boolean): readonly string[] {
  const isInside = (path: string) =>
    covers(roots, path, false) || (everything && !covers(PRIVATE, path, false));
  const between = kept.flatMap((path) => {
    const inside: string[] = [];
    for (let at = dirname(path); at !== "/" && !roots.includes(at) && isInside(at); at = dirname(at))
      inside.push(at);
    return inside;
  });
  return [...new Set(between)].sort();
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

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}
