// Rules for tests, made from the text that a user would write.

import { decodeRule, type RuleOrigin } from "../rules/decode-rule.ts";
import type { RuleFile } from "../rules/finding.ts";
import { splitFrontMatter } from "../rules/front-matter.ts";
import { registerRules, type TtsrRule } from "../rules/register.ts";
import type { Rule } from "../rules/rule.ts";
import { readSimpleFields } from "../rules/simple-yaml.ts";
import { readFields } from "../rules/yaml-fields.ts";
import { DEFAULT_SETTINGS, type TtsrSettings } from "../settings/settings.ts";

/** A rule from the lines of its front matter and its body. */
export function ruleOf(name: string, frontMatter: string, body = `Do not do what ${name} forbids.`): Rule {
  const displayPath = `.agent/rules/${name}.md`;
  const origin = { name, file: `/project/${displayPath}`, displayPath, source: ".agent/rules" };
  return ruleFileOf(`---\n${frontMatter}\n---\n\n${body}\n`, origin).rule;
}

/** A rule file from its text, as `loadRules` reads it, but at once: the library of YAML is loaded already. */
export function ruleFileOf(text: string, origin: RuleOrigin): RuleFile {
  const { excerpt, ...rest } = splitFrontMatter(text);
  if (excerpt === undefined) return decodeRule({ ...rest, fields: [] }, origin);
  const simple = readSimpleFields(excerpt);
  const read = simple === undefined ? readFields(excerpt) : { fields: simple };
  return decodeRule({ ...rest, ...read }, origin);
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
