// The settings of one call: where to look, and the warnings said once.

import { type LoadedSettings, loadSettings, type SettingsRequest } from "../settings/load.ts";
import type { Settings } from "../settings/settings.ts";
import type { CommandContext } from "./command.ts";

/** Where this call looks for settings. */
export function settingsRequest({ cwd, home, env, flags }: CommandContext): SettingsRequest {
  return { cwd, home, env, configPath: flags.text("config"), trust: flags.has("trust") };
}

/** What the files say and where it came from; what is odd in them is a warning. */
export async function loadedSettingsOf(context: CommandContext): Promise<LoadedSettings> {
  const loaded = await loadSettings(settingsRequest(context));
  for (const warning of loaded.warnings) context.io.warning(warning);
  return loaded;
}

/** The settings alone. */
export async function settingsOf(context: CommandContext): Promise<Settings> {
  return (await loadedSettingsOf(context)).settings;
}

/** Whether the user trusts the project that the call runs in. */
export async function projectTrust(context: CommandContext): Promise<boolean> {
  return (await loadSettings(settingsRequest(context))).trusted;
}
