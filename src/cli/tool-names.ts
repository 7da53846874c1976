// The names of the tools that a run may have here: what rules can name in their scope.

import { AppError } from "../base/errors.ts";
import { loadSettings } from "../settings/load.ts";
import type { CustomToolSettings } from "../settings/settings.ts";
import { BUILT_IN_TOOLS } from "../tools/names.ts";
import type { CommandContext } from "./command.ts";
import { projectTrust, settingsOf, settingsRequest } from "./settings-of.ts";

/** Built-in tools and those of the settings; of a project that is not trusted too, for to name a tool is to start none. */
export async function toolNames(context: CommandContext): Promise<readonly string[]> {
  const { tools } = await settingsOf(context);
  const ofProject = (await projectTrust(context)) ? [] : await untrustedTools(context);
  return [...new Set([...BUILT_IN_TOOLS, ...[...tools, ...ofProject].map(({ name }) => name)])];
}

/** What is wrong in settings that are not in force is not this command's matter. */
async function untrustedTools(context: CommandContext): Promise<readonly CustomToolSettings[]> {
  try {
    return (await loadSettings({ ...settingsRequest(context), trust: true })).settings.tools;
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}
