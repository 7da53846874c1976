// The rules that watch a stream here, as `rules test` and `rules filter` use them. Both are gates: where `--rules` names
// rules, nothing passes because they could not be used.

import { AppError } from "../base/errors.ts";
import { shellWord } from "../base/shell-quote.ts";
import { type LoadedRules, renderProblem } from "../rules/load.ts";
import { NAMED_SOURCE } from "../rules/places.ts";
import { type Registration, registerRules, renderSkip, type TtsrRule } from "../rules/register.ts";
import type { CommandContext } from "./command.ts";
import { loadRulesOf, ttsrSettingsOf } from "./rule-flags.ts";

/** The rules that a command has a use for, and what it says where there is none. */
export interface RuleUse {
  readonly isUsed: (rule: TtsrRule) => boolean;
  /** As in "no rule watches text here". */
  readonly watches: string;
}

/**
 * Loads and registers. What cannot act is a warning; that nothing acts is a notice. Rejects with `AppError` (`input`) if
 * a rule that `--rules` names cannot act as it is written, or if none of those is used.
 */
export async function watchingRules(context: CommandContext, use: RuleUse): Promise<readonly TtsrRule[]> {
  const { io, flags } = context;
  const loaded = await loadRulesOf(context);
  const registration = registerRules(loaded.rules, await ttsrSettingsOf(context));
  const faults = namedFaults(loaded, registration);
  const warnings = [...loaded.warnings, ...registration.skips.map(renderSkip)];
  for (const warning of warnings) if (!faults.includes(warning)) io.warning(warning);
  const used = registration.rules.filter(use.isUsed);
  if (flags.has("rules") && !flags.has("no-rules")) {
    throwIfUnusable(flags.list("rules"), faults);
    if (!used.some(isNamed)) throw noneNamed(flags.list("rules"), use);
  }
  if (used.length === 0)
    io.notice(`no rule ${use.watches} here, so none can fire (agent rules list says why)`);
  return registration.rules;
}

function isNamed({ rule }: Pick<TtsrRule, "rule">): boolean {
  return rule.source === NAMED_SOURCE;
}

/** Why rules that `--rules` names do not act as they are written; one line each. */
function namedFaults({ unreadable }: LoadedRules, { skips }: Registration): readonly string[] {
  return [
    ...unreadable
      .filter(({ source }) => source === NAMED_SOURCE)
      .map(({ displayPath, problem }) => renderProblem(displayPath, problem)),
    ...skips.filter(isNamed).map(renderSkip),
  ];
}

function throwIfUnusable(dirs: readonly string[], faults: readonly string[]): void {
  if (faults.length === 0) return;
  throw new AppError("input", `Cannot use the rules of ${dirs.join(", ")}: ${faults.join(" and ")}`, {
    hint: `Nothing passes while they cannot act. Mend them (agent rules check ${dirs.map(shellWord).join(" ")}), or take them out.`,
  });
}

function noneNamed(dirs: readonly string[], { watches }: RuleUse): AppError {
  return new AppError("input", `Cannot use the rules of ${dirs.join(", ")}: none of them ${watches}`, {
    hint: `Nothing passes without them. agent rules list ${dirs.map((dir) => `--rules ${shellWord(dir)}`).join(" ")} says what each does.`,
  });
}
