// The flags that say which rules are in force, and loading what they say.

import { isAbsolute, relative, sep } from "node:path";
import type { LoadedRules } from "../rules/load.ts";
import type { PlacesRequest } from "../rules/places.ts";
import type { TtsrSettings } from "../settings/settings.ts";
import type { CommandContext, FlagSpec } from "./command.ts";
import { projectTrust, settingsOf } from "./settings-of.ts";

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
export async function placesRequest(context: CommandContext): Promise<PlacesRequest> {
  const { cwd, home, env, flags } = context;
  const trusted = await projectTrust(context);
  return { cwd, home, env, rulesDirs: flags.list("rules"), trusted: () => trusted };
}

/** The rules that the flags ask for. Rejects with `AppError` (`notFound`) for a `--rules` directory that is not there. */
export async function loadRulesOf(context: CommandContext): Promise<LoadedRules> {
  // Reading rules brings the matcher along: not for a command that only has the flags.
  const { loadRules, NO_RULES } = await import("../rules/load.ts");
  return context.flags.has("no-rules") ? NO_RULES : await loadRules(await placesRequest(context));
}

/** The settings of rules; what is odd in the settings files is a warning. */
export async function ttsrSettingsOf(context: CommandContext): Promise<TtsrSettings> {
  return (await settingsOf(context)).ttsr;
}

/** A file as commands print it: relative to `directory` if it is below it, else absolute; with slashes. */
export function pathFrom(directory: string, file: string): string {
  const path = relative(directory, file);
  const outside = path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
  return (outside ? file : path).replaceAll(sep, "/");
}
