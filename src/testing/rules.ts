// Rules for tests, made from the text that a user would write.

import { decodeRule } from "../rules/decode-rule.ts";
import { registerRules, type TtsrRule } from "../rules/register.ts";
import type { Rule } from "../rules/rule.ts";
import { DEFAULT_SETTINGS, type TtsrSettings } from "../settings/settings.ts";

/** A rule from the lines of its front matter and its body. */
export function ruleOf(name: string, frontMatter: string, body = `Do not do what ${name} forbids.`): Rule {
  const displayPath = `.agent/rules/${name}.md`;
  const origin = { name, file: `/project/${displayPath}`, displayPath, source: ".agent/rules" };
  return decodeRule(`---\n${frontMatter}\n---\n\n${body}\n`, origin).rule;
}

/** The same, registered. Throws if it cannot act. */
export function ttsrRuleOf(name: string, frontMatter: string, body?: string): TtsrRule {
  const [rule] = ttsrRules([ruleOf(name, frontMatter, body)]);
  if (rule === undefined) throw new Error(`the rule ${name} cannot act`);
  return rule;
}

/** Registers rules with the default settings and what `settings` changes. */
export function ttsrRules(rules: readonly Rule[], settings: Partial<TtsrSettings> = {}): readonly TtsrRule[] {
  return registerRules(rules, { ...DEFAULT_SETTINGS.ttsr, ...settings }).rules;
}
