// What each rule does and why: in force or not, what it watches, how it acts, with the settings' defaults filled in.

import type { TtsrSettings } from "../settings/settings.ts";
import type { LoadedRules } from "./load.ts";
import { type Registration, registerRules } from "./register.ts";
import type { Rule, RuleBucket } from "./rule.ts";
import { renderScope } from "./scope.ts";

export interface RuleListing {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly source: string;
  readonly bucket: RuleBucket;
  readonly conditions: readonly string[];
  readonly scope: readonly string[];
  readonly globs: readonly string[];
  readonly interruptMode: string;
  readonly contextMode: string;
  readonly repeatMode: string;
  readonly repeatGap: number;
  readonly severity: string;
  /** Path of the rule that is in force instead. */
  readonly shadowedBy?: string;
  /** Why the rule does not act. */
  readonly skipped?: string;
  /** Conditions that were left out, and why; the rule acts with the others. */
  readonly dropped?: readonly string[];
}

/** Every rule that was found, those in force first, in order of priority. */
export function listRules(loaded: LoadedRules, settings: TtsrSettings): readonly RuleListing[] {
  const registration = registerRules(loaded.rules, settings);
  return [
    ...loaded.rules.map((rule) => ({
      ...listingOf(rule, settings),
      ...statusOf(rule, registration, settings),
    })),
    ...loaded.shadowed.map(({ rule, by }) => ({ ...listingOf(rule, settings), shadowedBy: by.file })),
  ];
}

function listingOf(rule: Rule, settings: TtsrSettings): RuleListing {
  const { name, file, source, bucket, conditions, globs, severity } = rule;
  return {
    name,
    file,
    source,
    bucket,
    conditions,
    scope: rule.scope.map(renderScope),
    globs,
    interruptMode: rule.interruptMode ?? settings.interruptMode,
    contextMode: rule.contextMode ?? settings.contextMode,
    repeatMode: rule.repeatMode ?? settings.repeatMode,
    repeatGap: rule.repeatGap ?? settings.repeatGap,
    severity,
  };
}

function statusOf(
  rule: Rule,
  registration: Registration,
  settings: TtsrSettings,
): Pick<RuleListing, "skipped" | "dropped"> {
  if (!rule.enabled) return { skipped: "its file says enabled: false" };
  if (settings.disabledRules.includes(rule.name)) return { skipped: "ttsr.disabledRules names it" };
  if (rule.bucket === "ttsr" && !settings.enabled) {
    return { skipped: "ttsr.enabled is false: no rule watches the stream" };
  }
  const skips = registration.skips.filter((skip) => skip.rule === rule);
  const messages = skips.map(({ line, message }) => `line ${line}: ${message}`);
  if (skips.some(({ partial }) => partial)) return { dropped: messages };
  const actsElsewhere = rule.bucket === "always" || rule.bucket === "rulebook";
  if (messages.length > 0) return actsElsewhere ? { dropped: messages } : { skipped: messages.join("; ") };
  return rule.bucket === "none" ? { skipped: "it has no condition, no alwaysApply and no description" } : {};
}
