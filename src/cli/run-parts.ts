// Putting a run together: settings, prompt, session, model, tools and rules; then the loop goes, recorded and printed.

import { createRuleGuard } from "../agent/guard.ts";
import { type AgentRun, NO_TOOLS } from "../agent/run.ts";
import { AppError } from "../base/errors.ts";
import { missingResults } from "../model/context.ts";
import type { Model, ModelInfo, ModelOptions } from "../model/model.ts";
import { loadSettings } from "../settings/load.ts";
import type { Settings } from "../settings/settings.ts";
import type { CommandContext } from "./command.ts";
import { chooseModel } from "./model-choice.ts";
import { thinkFlag } from "./model-flags.ts";
import { followRun } from "./run-follow.ts";
import { promptContent, readPrompt } from "./run-prompt.ts";
import type { RunReport } from "./run-report.ts";
import { loadRunRules } from "./run-rules.ts";
import { openWriter, sessionTakesStdin, startSession } from "./run-session.ts";
import { systemPromptOf } from "./run-system.ts";

/** Runs the prompt to its end; what is known at any moment is in `report`. */
export async function runPrompt(context: CommandContext, report: RunReport): Promise<void> {
  const { flags, io, cwd } = context;
  const settings = settingsOf(context);
  const prompt = await readPrompt(context, sessionTakesStdin(flags));
  const start = await startSession(context);
  for (const notice of start.notices) io.notice(notice);
  const rules = loadRunRules(context, settings.ttsr);
  const model = await chooseModel({ context, settings, sessionModel: start.context.model });
  await modelInfo(model, context.signal);
  const tools = NO_TOOLS;
  const session = await openWriter(context, start);
  report.writer = session.writer;
  await report.output.begin(session.writer);
  report.guard = createRuleGuard({
    rules: rules.watching,
    settings: settings.ttsr,
    cwd,
    tools,
    injected: session.context.injectedTtsrRules,
  });
  const now = Date.now();
  const run: AgentRun = {
    model,
    systemPrompt: systemPromptOf(context, { rules, tools }),
    history: session.history,
    prompt: [
      ...missingResults(session.history, now),
      { role: "user", content: promptContent(prompt), timestamp: now },
    ],
    tools,
    options: optionsOf(context, settings),
    limits: limitsOf(context, settings),
    retry: { ...settings.retry, attempts: flags.integer("retries") ?? settings.retry.attempts },
    guard: report.guard,
    failOnDenied: flags.has("fail-on-denied"),
  };
  await followRun(context, { report, run, session });
}

function settingsOf(context: CommandContext): Settings {
  const { flags, io, cwd, home, env } = context;
  const request = { cwd, home, env, configPath: flags.text("config"), trust: flags.has("trust") };
  const { settings, warnings } = loadSettings(request);
  for (const warning of warnings) io.warning(warning);
  return settings;
}

/** Undefined if the server is away: the loop's first request finds out, and tries again. */
async function modelInfo(model: Model, signal: AbortSignal): Promise<ModelInfo | undefined> {
  try {
    return await model.info(signal);
  } catch (error) {
    if (error instanceof AppError && error.kind === "unavailable") return undefined;
    throw error;
  }
}

function optionsOf({ flags }: CommandContext, settings: Settings): ModelOptions {
  const think = thinkFlag(flags) ?? settings.think;
  return think === undefined ? {} : { think };
}

function limitsOf({ flags }: CommandContext, { limits }: Settings): AgentRun["limits"] {
  return {
    maxTurns: flags.integer("max-turns") ?? limits.maxTurns,
    maxTimeMs: flags.duration("max-time") ?? limits.maxTimeMs,
    maxTokens: flags.integer("max-tokens") ?? limits.maxTokens,
  };
}
