// The rules that watch a stream here, as `rules test` and `rules filter` use them.

import { registerRules, renderSkip, type TtsrRule } from "../rules/register.ts";
import type { CommandContext } from "./command.ts";
import { loadRulesOf, ttsrSettingsOf } from "./rule-flags.ts";

/** Loads and registers. What cannot act is a warning; that nothing acts is a notice. */
export async function watchingRules(context: CommandContext): Promise<readonly TtsrRule[]> {
  const { io } = context;
  const loaded = await loadRulesOf(context);
  const { rules, skips } = registerRules(loaded.rules, await ttsrSettingsOf(context));
  for (const warning of loaded.warnings) io.warning(warning);
  for (const skip of skips) io.warning(renderSkip(skip));
  if (rules.length === 0) io.notice("no rule watches a stream here (agent rules list says why)");
  return rules;
}
