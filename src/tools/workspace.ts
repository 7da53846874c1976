// What every tool of a run shares: where it works and what it may do.

import { isAbsolute, join, resolve } from "node:path";
import { FileError, type PathCheck } from "./files/open.ts";
import { decide } from "./permissions/decide.ts";
import { DeniedError, type Permissions } from "./permissions/permissions.ts";
import type { RunProcesses } from "./process/guard.ts";

export interface Workspace {
  /** Absolute; relative paths of calls start here. */
  readonly cwd: string;
  /** The same, links followed. */
  readonly realCwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly permissions: Permissions;
  /** Where output that was cut is kept whole; the model may read it there. Made when first needed. */
  readonly spill: SpillDirectory;
  /** The processes that the run starts, which end with it. */
  readonly processes: RunProcesses;
}

/** The directory for outputs of this run. */
export interface SpillDirectory {
  /** The directory, made on first use (mode 0700). */
  path(): string;
  /** Whether it was made and holds this real path. */
  holds(path: string): boolean;
}

/** An absolute path from what a model wrote. Throws `FileError` for what no path can be. */
export function resolvePath(workspace: Workspace, path: string): string {
  if (path.includes("\0")) throw new FileError("a path holds no NUL character");
  if (path === "") throw new FileError("the path is empty");
  if (isAbsolute(workspace.home) && (path === "~" || path.startsWith("~/")))
    return join(workspace.home, path.slice(1));
  return resolve(workspace.cwd, path);
}

/** Throws `DeniedError` for a real path that may not be read. */
export function readCheck(workspace: Workspace): PathCheck {
  return (path) => {
    if (!workspace.spill.holds(path)) demand(workspace, "read", path);
  };
}

/** Whether a real path may be read: for searches, which pass over what they may not. */
export function mayRead(workspace: Workspace): (path: string) => boolean {
  return (path) =>
    workspace.spill.holds(path) || decide(workspace.permissions, { permission: "read", path }) === undefined;
}

/** Throws `DeniedError` for a real path that may not be written. */
export function writeCheck(workspace: Workspace): PathCheck {
  return (path) => demand(workspace, "write", path);
}

function demand(workspace: Workspace, permission: "read" | "write", path: string): void {
  const denial = decide(workspace.permissions, { permission, path });
  if (denial !== undefined) throw new DeniedError(denial);
}
