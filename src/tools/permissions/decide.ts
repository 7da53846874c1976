// The one decision: may this be done? A pure function of the permissions and the request. Denials win over grants,
// sensitive paths must be named, and what is not granted is denied.

import { judgeCommand } from "./command.ts";
import type { AccessRequest, Denial, PathGrant, Permissions } from "./permissions.ts";
import { sensitivityOf } from "./sensitive.ts";

/** `undefined` if it may be done, else why not. */
export function decide(permissions: Permissions, request: AccessRequest): Denial | undefined {
  return request.permission === "run"
    ? decideRun(permissions, request.command)
    : decidePath(permissions, request.permission, request.path);
}

function decidePath(
  permissions: Permissions,
  permission: "read" | "write",
  path: string,
): Denial | undefined {
  const grant = permission === "read" ? permissions.read : permissions.write;
  const denied = permission === "read" ? permissions.denyRead : permissions.denyWrite;
  const flag = `--allow-${permission}=${path}`;
  const because = (reason: string, hint?: string): Denial => ({
    permission,
    target: path,
    reason,
    ...(hint === undefined ? {} : { hint }),
  });
  if (!path.startsWith("/") && !/^[A-Za-z]:[\\/]/.test(path)) return because("it is not a file");
  if (covers(denied, path, permissions.foldCase)) return because(`--deny-${permission} covers it`);
  if (!covers(grant, path, permissions.foldCase))
    return because(`it is outside what may be ${permission === "read" ? "read" : "written"}`, flag);
  const what = sensitivityOf(path, permission, permissions);
  if (what === undefined || isNamed(permissions, permission, path)) return undefined;
  return because(`${what}: it must be named to be allowed`, flag);
}

/** A grant names a sensitive path if it is one itself: `.env`, `~/.ssh`; the directory around it does not. */
function isNamed(permissions: Permissions, permission: "read" | "write", path: string): boolean {
  const grant = permission === "read" ? permissions.read : permissions.write;
  return grant.some(
    (root) =>
      isWithin(root, path, permissions.foldCase) &&
      sensitivityOf(root, permission, permissions) !== undefined,
  );
}

function decideRun(permissions: Permissions, command: string): Denial | undefined {
  if (permissions.denyRun === "all")
    return { permission: "run", target: command, reason: "--deny-run covers every program" };
  if (permissions.run !== "all" && permissions.run.length === 0)
    return { permission: "run", target: command, reason: "no program may run", hint: "--allow-run" };
  if (permissions.run === "all" && permissions.denyRun.length === 0) return undefined;
  const judged = judgeCommand(command, { allow: permissions.run, deny: permissions.denyRun });
  return judged.ok ? undefined : { permission: "run", target: judged.target, reason: judged.reason };
}

/** Whether the path lies at or below what is listed. */
export function covers(grant: PathGrant, path: string, foldCase: boolean): boolean {
  return grant.some((root) => isWithin(root, path, foldCase));
}

function isWithin(root: string, path: string, foldCase: boolean): boolean {
  if (root === "/") return true;
  const fold = (text: string) => (foldCase ? text.toLowerCase() : text);
  const below = fold(root).endsWith("/") ? fold(root) : `${fold(root)}/`;
  return fold(path) === fold(root) || fold(path).startsWith(below);
}
