// The flags that say which rules are in force, and loading what they say.

import { isAbsolute, relative, sep } from "node:path";
import { type LoadedRules, loadRules, NO_RULES } from "../rules/load.ts";
import type { PlacesRequest } from "../rules/places.ts";
import { loadSettings } from "../settings/load.ts";
import type { TtsrSettings } from "../settings/settings.ts";
import type { CommandContext, FlagSpec } from "./command.ts";
import { projectTrust } from "./project-trust.ts";

export const RULE_FLAGS: readonly FlagSpec[] = [
  {
    name: "rules",
    value: { kind: "text", placeholder: "<dir>", repeatable: true },
    default: "none",
    help: "a directory of rules that win over all others; may be given several times",
  },
  { name: "no-rules", value: { kind: "switch" }, default: "off", help: "no rules at all" },
];

/** Where this call looks for rules. */
export function placesRequest(context: CommandContext): PlacesRequest {
  const { cwd, home, env, flags } = context;
  return { cwd, home, env, rulesDirs: flags.list("rules"), trusted: projectTrust(context) };
}

/** The rules that the flags ask for. Throws `AppError` (`notFound`) for a `--rules` directory that is not there. */
export function loadRulesOf(context: CommandContext): LoadedRules {
  return context.flags.has("no-rules") ? NO_RULES : loadRules(placesRequest(context));
}

/** The settings of rules; what is odd in the settings files is a warning. */
export function ttsrSettingsOf(context: CommandContext): TtsrSettings {
  const { cwd, home, env, flags, io } = context;
  const request = { cwd, home, env, configPath: flags.text("config"), trust: flags.has("trust") };
  const { settings, warnings } = loadSettings(request);
  for (const warning of warnings) io.warning(warning);
  return settings.ttsr;
}

/** A file as commands print it: relative to `directory` if it is below it, else absolute; with slashes. */
export function pathFrom(directory: string, file: string): string {
  const path = relative(directory, file);
  const outside = path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
  return (outside ? file : path).replaceAll(sep, "/");
}
