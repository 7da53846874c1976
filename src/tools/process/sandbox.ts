// Commands inside bubblewrap (Linux): the file system read-only but for the write grants, a private /tmp, processes of
// their own, no network unless it is granted.

import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { AppError } from "../../base/errors.ts";
import type { Permissions } from "../permissions/permissions.ts";

export interface SandboxPlace {
  readonly cwd: string;
  readonly permissions: Permissions;
}

/** The argument vector that runs `command` inside the sandbox. */
export function sandboxed(command: readonly string[], place: SandboxPlace): readonly string[] {
  return ["bwrap", ...sandboxOptions(place), "--", ...command];
}

/** Throws `AppError` (`failed`) where bubblewrap is missing or the system does not let it work. */
export function demandSandbox(place: SandboxPlace, env: Readonly<Record<string, string>>): void {
  const [program = "", ...args] = sandboxed(["/bin/true"], place);
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

function sandboxOptions({ cwd, permissions }: SandboxPlace): readonly string[] {
  const writable = permissions.write.filter(fs.existsSync);
  return [
    "--unshare-all",
    ...(permissions.net ? ["--share-net"] : []),
    "--die-with-parent",
    ...["--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/"],
    ...["--dev", "/dev"],
    ...["--proc", "/proc"],
    ...["--tmpfs", "/tmp"],
    ...runtimeDirectory(permissions.net),
    ...(isBelow("/tmp", cwd) ? ["--ro-bind", cwd, cwd] : []),
    ...writable.flatMap((path) => ["--bind", path, path]),
    ...protectedPaths(writable).flatMap((path) => ["--ro-bind", path, path]),
    ...hiddenPaths(permissions).flatMap(hide),
    ...["--chdir", cwd],
  ];
}

/** Sockets of services stand in /run; a read-only mount would not keep a program from connecting. */
function runtimeDirectory(net: boolean): readonly string[] {
  if (!fs.existsSync("/run")) return [];
  const resolver = "/run/systemd/resolve";
  return ["--tmpfs", "/run", ...(net && fs.existsSync(resolver) ? ["--ro-bind", resolver, resolver] : [])];
}

/** What decides which programs run outside the sandbox later stays read-only inside a write grant, and so do denials. */
function protectedPaths(writable: readonly string[]): readonly string[] {
  const names = [".git/hooks", ".git/config", ".agent"];
  return writable.flatMap((root) => names.map((name) => join(root, name))).filter(fs.existsSync);
}

function hiddenPaths({ own, denyRead }: Permissions): readonly string[] {
  return [...own, ...denyRead].filter((path) => path !== "/" && fs.existsSync(path));
}

function hide(path: string): readonly string[] {
  return fs.statSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}
