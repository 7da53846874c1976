// Putting a run together: settings, prompt, session, model, tools and rules; then the loop goes, recorded and printed.

import { createRuleGuard } from "../agent/guard.ts";
import { createHooks, type Hooks } from "../agent/hooks.ts";
import type { AgentRun } from "../agent/run.ts";
import { AppError } from "../base/errors.ts";
import { missingResults } from "../model/context.ts";
import type { Model, ModelInfo, ModelOptions } from "../model/model.ts";
import { loadSettings } from "../settings/load.ts";
import type { Settings } from "../settings/settings.ts";
import type { CommandContext } from "./command.ts";
import { chooseModel } from "./model-choice.ts";
import { thinkFlag } from "./model-flags.ts";
import { permissionsOf } from "./permission-flags.ts";
import { findBuiltIn } from "./run-built-ins.ts";
import { followRun } from "./run-follow.ts";
import { runHandoffPrompt } from "./run-handoff.ts";
import { type PromptInput, promptContent, readPrompt } from "./run-prompt.ts";
import type { RunReport } from "./run-report.ts";
import { loadRunRules } from "./run-rules.ts";
import { loadAnswerSchema } from "./run-schema.ts";
import { openWriter, recordFacts, sessionTakesStdin, startSession } from "./run-session.ts";
import { systemPromptOf, userDirectory } from "./run-system.ts";
import { expandTemplate } from "./run-template.ts";
import { runTools } from "./run-tools.ts";

/** Runs the prompt to its end; what is known at any moment is in `report`. */
export async function runPrompt(context: CommandContext, report: RunReport): Promise<void> {
  const { flags, io, cwd } = context;
  const settings = settingsOf(context);
  const schemaFile = flags.text("schema");
  const answerFormat = schemaFile === undefined ? undefined : loadAnswerSchema(schemaFile, cwd);
  const asked = await readPrompt(context, sessionTakesStdin(flags));
  const builtIn = findBuiltIn(asked.text);
  if (builtIn !== undefined) return await runHandoffPrompt(context, report, builtIn.rest);
  const prompt = expanded(context, asked);
  const start = await startSession(context);
  for (const notice of start.notices) io.notice(notice);
  const rules = loadRunRules(context, settings.ttsr);
  const model = await chooseModel({ context, settings, sessionModel: start.context.model });
  const info = await modelInfo(model, context.signal);
  const tools = await runTools(context, { settings, model, info, readRule: rules.read });
  const session = await openWriter(context, start);
  report.writer = session.writer;
  const options = optionsOf(context, settings);
  recordFacts(session, { model, think: options.think, name: flags.text("name") });
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
    systemPrompt: systemPromptOf(context, { rules, tools, schema: answerFormat?.schema }),
    history: session.history,
    prompt: [
      ...missingResults(session.history, now),
      { role: "user", content: promptContent(prompt), timestamp: now },
    ],
    tools,
    options,
    limits: limitsOf(context, settings),
    retry: { ...settings.retry, attempts: flags.integer("retries") ?? settings.retry.attempts },
    guard: report.guard,
    ...(answerFormat === undefined ? {} : { answerFormat }),
    failOnDenied: flags.has("fail-on-denied"),
  };
  await followRun(context, { report, run, session, hooks: hooksOf(context, settings) });
}

function hooksOf(context: CommandContext, settings: Settings): Hooks {
  const { cwd, env } = context;
  const { hooks, tools } = settings;
  return createHooks({ hooks, tools, cwd, env, allowEnv: permissionsOf(context, settings.permissions).env });
}

function settingsOf(context: CommandContext): Settings {
  const { flags, io, cwd, home, env } = context;
  const request = { cwd, home, env, configPath: flags.text("config"), trust: flags.has("trust") };
  const { settings, warnings } = loadSettings(request);
  for (const warning of warnings) io.warning(warning);
  return settings;
}

/** The prompt with its template, if it asks for one. */
function expanded(context: CommandContext, prompt: PromptInput): PromptInput {
  const { text, notice } = expandTemplate(prompt.text, context.cwd, userDirectory(context));
  if (notice !== undefined) context.io.notice(notice);
  return { ...prompt, text };
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
