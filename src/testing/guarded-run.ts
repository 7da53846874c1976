// Runs of the loop under rules, for tests.

import { createRuleGuard } from "../agent/guard.ts";
import type { AgentRun } from "../agent/run.ts";
import type { Model } from "../model/model.ts";
import type { Rule } from "../rules/rule.ts";
import { DEFAULT_SETTINGS, type TtsrSettings } from "../settings/settings.ts";
import { testRun } from "./collect-events.ts";
import { ttsrRules } from "./rules.ts";

export interface GuardedFields extends Partial<AgentRun> {
  readonly rules: readonly Rule[];
  readonly ttsr?: Partial<TtsrSettings>;
  /** Rules that were injected before, with their age. */
  readonly injected?: readonly { readonly name: string; readonly age: number }[];
}

/** `testRun` with a guard over `rules`; no delay before the retry unless `ttsr` says so. */
export function guardedRun(model: Model, { rules, ttsr, injected, ...fields }: GuardedFields): AgentRun {
  const settings = { ...DEFAULT_SETTINGS.ttsr, retryDelayMs: 0, ...ttsr };
  const run = testRun(model, fields);
  const guard = createRuleGuard({
    rules: ttsrRules(rules, settings),
    settings,
    cwd: "/project",
    tools: run.tools,
    injected: injected ?? [],
    now: () => 0,
  });
  return { ...run, guard };
}
