// The settings of one call: where to look, and the warnings said once.

import { type LoadedSettings, loadSettings, type SettingsRequest } from "../settings/load.ts";
import type { Settings } from "../settings/settings.ts";
import type { CommandContext, ParsedFlags } from "./command.ts";

/** Where this call looks for settings. */
export function settingsRequest({ cwd, home, env, flags }: CommandContext): SettingsRequest {
  return { cwd, home, env, configPath: flags.text("config"), trust: flags.has("trust") };
}

/** By the flags of a call, which are one object however often its context is copied. */
const loadedByCall = new WeakMap<ParsedFlags, Promise<LoadedSettings>>();

/** Reads the files once a call: rules, templates and context files ask for trust on their own. */
function loadOnce(context: CommandContext): Promise<LoadedSettings> {
  const known = loadedByCall.get(context.flags);
  if (known !== undefined) return known;
  const loading = loadSettings(settingsRequest(context));
  loadedByCall.set(context.flags, loading);
  return loading;
}

/** Calls whose warnings have been said. */
const warned = new WeakSet<ParsedFlags>();

/** What the files say and where it came from; what is odd in them is a warning, once a call. */
export async function loadedSettingsOf(context: CommandContext): Promise<LoadedSettings> {
  const loaded = await loadOnce(context);
  if (!warned.has(context.flags)) for (const warning of loaded.warnings) context.io.warning(warning);
  warned.add(context.flags);
  return loaded;
}

/** The settings alone. */
export async function settingsOf(context: CommandContext): Promise<Settings> {
  return (await loadedSettingsOf(context)).settings;
}

/** Whether the user trusts the project that the call runs in. */
export async function projectTrust(context: CommandContext): Promise<boolean> {
  return (await loadOnce(context)).trusted;
}
