// The flags that say which rules are in force, and loading what they say.

import { type LoadedRules, loadRules, NO_RULES } from "../rules/load.ts";
import type { PlacesRequest } from "../rules/places.ts";
import type { CommandContext, FlagSpec } from "./command.ts";

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
  return { cwd, home, env, rulesDirs: flags.list("rules") };
}

/** The rules that the flags ask for. Throws `AppError` (`notFound`) for a `--rules` directory that is not there. */
export function loadRulesOf(context: CommandContext): LoadedRules {
  return context.flags.has("no-rules") ? NO_RULES : loadRules(placesRequest(context));
}
