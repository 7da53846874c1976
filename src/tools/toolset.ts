// The tools of a run: built-in ones that have a grant, and the user's own.

import { AppError } from "../base/errors.ts";
import { realPathOf } from "../base/stat.ts";
import type { CustomToolSettings } from "../settings/settings.ts";
import { bashTool } from "./bash.ts";
import { customTool } from "./custom.ts";
import { editTool } from "./edit.ts";
import { findTool } from "./find.ts";
import { grepTool } from "./grep.ts";
import { lsTool } from "./ls.ts";
import { BUILT_IN_TOOLS } from "./names.ts";
import { allowsAny, deniesAll, type PermissionKind, type Permissions } from "./permissions/permissions.ts";
import { runProcesses } from "./process/guard.ts";
import { demandSandbox } from "./process/sandbox.ts";
import { readTool } from "./read.ts";
import { spillDirectory } from "./spill.ts";
import type { Tool, ToolSet } from "./tool.ts";
import type { Workspace } from "./workspace.ts";
import { writeTool } from "./write.ts";

export interface ToolSetRequest {
  /** Absolute. */
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly permissions: Permissions;
  /** `--tools`: only these; `undefined` for all. */
  readonly names: readonly string[] | undefined;
  readonly custom: readonly CustomToolSettings[];
  /** Whether the model takes images. */
  readonly vision: boolean;
  /** Run commands inside bubblewrap. */
  readonly sandbox: boolean;
  /** The body of a rule, for `rule://name`. */
  readonly readRule?: (name: string) => string | undefined;
}

/**
 * Builds the tools. Rejects with `AppError`: `usage` for a name in `names` that no tool has, `settings` for a custom
 * tool that cannot be used or a sandbox that cannot run here.
 */
export async function buildToolSet(request: ToolSetRequest): Promise<ToolSet> {
  const { cwd, home, env, permissions } = request;
  const workspace: Workspace = {
    cwd,
    realCwd: realPathOf(cwd),
    home,
    env,
    permissions,
    spill: spillDirectory(env),
    processes: runProcesses(),
  };
  if (request.sandbox) demandSandbox(workspace);
  const rows = [...builtInTools(workspace, request), ...(await customTools(workspace, request.custom))];
  const known = rows.map((row) => row.tool.spec.name);
  const twice = known.find((name, index) => known.indexOf(name) !== index);
  if (twice !== undefined)
    throw new AppError("settings", `Cannot use tool "${twice}": there is one of this name already`);
  demandKnownTools(request.names ?? [], request.custom);
  const wanted = rows.filter((row) => request.names?.includes(row.tool.spec.name) ?? true);
  return {
    offered: wanted.filter((row) => row.granted).map((row) => row.tool),
    withheld: rows
      .filter((row) => !row.granted)
      .map(({ tool, permission }) => ({
        name: tool.spec.name,
        permission,
        ...(tool.watched === undefined ? {} : { watched: tool.watched }),
        ...(deniesAll(permissions, permission)
          ? { reason: `--deny-${permission} covers all of it` }
          : { reason: "it was not granted", hint: `--allow-${permission}` }),
      })),
  };
}

/** Throws `AppError` (`usage`) for a name that no tool has, built in or the user's. */
export function demandKnownTools(names: readonly string[], custom: readonly CustomToolSettings[]): void {
  const known: readonly string[] = [...BUILT_IN_TOOLS, ...custom.map(({ name }) => name)];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new AppError("usage", `unknown tool "${unknown}"`, { hint: `There are: ${known.join(", ")}.` });
}

/** The user's programs: to set them is to grant them. */
async function customTools(
  workspace: Workspace,
  custom: readonly CustomToolSettings[],
): Promise<readonly Row[]> {
  const tools = await Promise.all(custom.map((settings) => customTool(workspace, settings)));
  return tools.map((tool) => ({ tool, permission: "run", granted: true }));
}

interface Row {
  readonly tool: Tool;
  readonly permission: PermissionKind;
  readonly granted: boolean;
}

function builtInTools(workspace: Workspace, request: ToolSetRequest): readonly Row[] {
  const { permissions } = workspace;
  const row = (permission: Row["permission"], tool: Tool): Row => ({
    tool,
    permission,
    granted: allowsAny(permissions, permission),
  });
  return [
    row("read", readTool(workspace, { vision: request.vision, readRule: request.readRule })),
    row("read", lsTool(workspace)),
    row("read", findTool(workspace)),
    row("read", grepTool(workspace)),
    row("write", writeTool(workspace)),
    row("write", editTool(workspace)),
    row("run", bashTool(workspace, { sandbox: request.sandbox })),
  ];
}
