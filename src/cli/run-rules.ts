// The rules of a run, sorted by what they do: watch the stream, stand in the system prompt, or be read when needed.

import type { PromptRule } from "../agent/system-prompt.ts";
import { escapedControls } from "../base/text.ts";
import { registerRules, type TtsrRule } from "../rules/register.ts";
import type { Rule } from "../rules/rule.ts";
import type { TtsrSettings } from "../settings/settings.ts";
import type { CommandContext } from "./command.ts";
import { loadRulesOf } from "./rule-flags.ts";

export interface RunRules {
  readonly watching: readonly TtsrRule[];
  readonly always: readonly PromptRule[];
  readonly rulebook: readonly PromptRule[];
  /** The body of a rule in force, for `rule://name`. */
  readonly read: (name: string) => string | undefined;
}

/** Loads and registers; every skip is a warning, and the run goes on. */
export async function loadRunRules(context: CommandContext, settings: TtsrSettings): Promise<RunRules> {
  const { rules, warnings } = await loadRulesOf(context);
  const inForce = rules.filter((rule) => rule.enabled && !settings.disabledRules.includes(rule.name));
  const registration = registerRules(inForce, settings);
  for (const warning of warnings) context.io.warning(warning);
  for (const { rule, line, message, partial } of registration.skips) {
    const place = `${rule.displayPath}:${line}: `;
    context.io.warning(escapedControls(`${place}${partial ? "" : "the rule is skipped: "}${message}`));
  }
  const inBucket = (bucket: Rule["bucket"]) => inForce.filter((rule) => rule.bucket === bucket);
  return {
    watching: registration.rules,
    always: inBucket("always"),
    rulebook: inBucket("rulebook"),
    read: (name) => inForce.find((rule) => rule.name === name)?.body,
  };
}
