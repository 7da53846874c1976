// The tools of a run: what the permissions grant, if the model takes tools at all.

import { NO_TOOLS } from "../agent/run.ts";
import { AppError } from "../base/errors.ts";
import type { Model, ModelInfo } from "../model/model.ts";
import type { Settings } from "../settings/settings.ts";
import type { ToolSet } from "../tools/tool.ts";
import { buildToolSet } from "../tools/toolset.ts";
import type { CommandContext } from "./command.ts";
import { grantNotices } from "./grant-notices.ts";
import { permissionsOf, toolNamesOf } from "./permission-flags.ts";

export interface RunToolsRequest {
  readonly settings: Settings;
  readonly model: Model;
  /** Undefined if it is not known yet: then the model is taken to have tools. */
  readonly info: ModelInfo | undefined;
  /** Files that the run itself keeps or starts, absolute. */
  readonly runFiles: readonly string[];
  readonly readRule: (name: string) => string | undefined;
}

/** Throws `AppError`: `settings` for `--tools` with a model that takes none, `usage` for an unknown tool. */
export async function runTools(context: CommandContext, request: RunToolsRequest): Promise<ToolSet> {
  const { settings, model, info, runFiles, readRule } = request;
  const { cwd, home, env, flags, io } = context;
  const names = toolNamesOf(context);
  if (info?.tools === false) {
    if (names !== undefined && names.length > 0) {
      throw new AppError("settings", `The model ${model.id} takes no tools, but --tools was given`, {
        hint: "agent models lists what each model can do.",
      });
    }
    io.notice(`the model ${model.id} takes no tools; it is asked without them`);
    return NO_TOOLS;
  }
  if (flags.has("schema") && !asksForTools(context)) {
    io.detail("with --schema the model is offered no tools unless a flag asks for them (--tools, --allow-…)");
    return NO_TOOLS;
  }
  for (const notice of grantNotices(context)) io.notice(notice);
  const tools = await buildToolSet({
    cwd,
    home,
    env,
    permissions: permissionsOf(context, settings.permissions, runFiles),
    names,
    custom: settings.tools,
    vision: info?.vision ?? false,
    sandbox: flags.has("sandbox"),
    readRule,
  });
  for (const { name, reason, hint } of tools.withheld) {
    if (names?.includes(name))
      io.notice(`${name} is not offered: ${reason}${hint === undefined ? "" : ` (${hint})`}`);
  }
  return tools;
}

/**
 * A server that is held to a schema cannot call tools, so a run with `--schema` has none, unless it was said that it
 * needs them.
 */
function asksForTools({ flags }: CommandContext): boolean {
  return ["tools", "allow-read", "allow-write", "allow-run", "allow-all"].some((name) => flags.has(name));
}
