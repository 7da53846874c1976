// What flags, settings and the session say together about the requests and the limits of a run.

import type { RunLimits } from "../agent/run.ts";
import type { ModelOptions, ThinkingLevel } from "../model/model.ts";
import type { Settings } from "../settings/settings.ts";
import type { CommandContext } from "./command.ts";
import { thinkFlag } from "./model-flags.ts";

/** The thinking level: the flag's, else the session's, else the settings'. */
export function optionsOf(
  { flags }: CommandContext,
  settings: Settings,
  ofSession: string | undefined,
): ModelOptions {
  const think = thinkFlag(flags) ?? thinkingLevelOf(ofSession) ?? settings.think;
  return think === undefined ? {} : { think };
}

/** Sessions of other programs know finer levels. */
function thinkingLevelOf(level: string | undefined): ThinkingLevel | undefined {
  switch (level) {
    case "off":
    case "on":
    case "low":
    case "medium":
    case "high":
      return level;
    case "minimal":
      return "low";
    case "xhigh":
    case "max":
      return "high";
    default:
      return undefined;
  }
}

/** The limits: each flag, else its setting. */
export function limitsOf({ flags }: CommandContext, { limits }: Settings): RunLimits {
  return {
    maxTurns: flags.integer("max-turns") ?? limits.maxTurns,
    maxTimeMs: flags.duration("max-time") ?? limits.maxTimeMs,
    maxTokens: flags.integer("max-tokens") ?? limits.maxTokens,
  };
}
