// The settings of one call: where to look, and what commands ask of them.

import { type LoadedSettings, loadSettings, type SettingsRequest } from "../settings/load.ts";
import type { Settings } from "../settings/settings.ts";
import type { CommandContext } from "./command.ts";

/** Where this call looks for settings. */
export function settingsRequest({
  cwd,
  home,
  env,
  flags,
}: Pick<CommandContext, "cwd" | "home" | "env" | "flags">): SettingsRequest {
  return { cwd, home, env, configPath: flags.text("config"), trust: flags.has("trust") };
}

/** Reads the files and says what is odd in them: for `CommandContext.loadSettings`, which does so once a call. */
export async function loadCallSettings(
  context: Pick<CommandContext, "cwd" | "home" | "env" | "flags" | "io">,
): Promise<LoadedSettings> {
  const loaded = await loadSettings(settingsRequest(context));
  for (const warning of loaded.warnings) context.io.warning(warning);
  return loaded;
}

/** The settings alone. */
export async function settingsOf(context: CommandContext): Promise<Settings> {
  return (await context.loadSettings()).settings;
}

/** Whether the user trusts the project that the call runs in. */
export async function projectTrust(context: CommandContext): Promise<boolean> {
  return (await context.loadSettings()).trusted;
}
