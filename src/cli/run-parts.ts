// Putting a run together: settings, prompt, session, model, tools and rules; then the loop goes, recorded and printed.
// All that can fail for a mistake of the caller comes before a session file is made.

import { createRuleGuard } from "../agent/guard.ts";
import { createHooks, type Hooks } from "../agent/hooks.ts";
import type { AgentRun, AnswerFormat } from "../agent/run.ts";
import { AppError } from "../base/errors.ts";
import { missingResults } from "../model/context.ts";
import type { Model, ModelInfo } from "../model/model.ts";
import type { Settings } from "../settings/settings.ts";
import type { ToolSet } from "../tools/tool.ts";
import { demandKnownTools } from "../tools/toolset.ts";
import type { CommandContext } from "./command.ts";
import { chooseModel } from "./model-choice.ts";
import { thinkFlag } from "./model-flags.ts";
import { permissionsOf, toolNamesOf } from "./permission-flags.ts";
import { findBuiltIn } from "./run-built-ins.ts";
import { startDeadline } from "./run-deadline.ts";
import { commitNotice, programFiles, runFiles } from "./run-files.ts";
import { followRun } from "./run-follow.ts";
import { runHandoffPrompt } from "./run-handoff.ts";
import { limitsOf, optionsOf } from "./run-options.ts";
import type { RunOutput } from "./run-output.ts";
import { type PromptInput, promptContent, readPrompt } from "./run-prompt.ts";
import type { RunReport } from "./run-report.ts";
import { loadRunRules, type RunRules } from "./run-rules.ts";
import { type SessionStart, sessionTakesStdin, startSession } from "./run-session.ts";
import { systemPromptOf, userDirectory } from "./run-system.ts";
import { expandTemplate } from "./run-template.ts";
import { runTools } from "./run-tools.ts";
import { type OpenedSession, openWriter, recordFacts } from "./run-writer.ts";
import { projectTrust, settingsOf } from "./settings-of.ts";

/** Runs the prompt to its end; what is known at any moment is in `report`. */
export async function runPrompt(
  context: CommandContext,
  { report, output }: { readonly report: RunReport; readonly output: RunOutput },
): Promise<void> {
  const settings = await settingsOf(context);
  const { maxTimeMs } = limitsOf(context, settings);
  // Never stopped: it holds for the last thing that is printed, too.
  context.io.stdout.giveUpAt(startDeadline(maxTimeMs, context.signal).signal);
  const deadline = startDeadline(maxTimeMs, context.signal);
  const early = { ...context, signal: deadline.signal };
  try {
    const prompt = await readPrompt(early, sessionTakesStdin(context.flags));
    const builtIn = findBuiltIn(prompt.text);
    if (builtIn !== undefined) return await runHandoffPrompt(context, report, builtIn.rest);
    const prepared = await prepare(early, { settings, prompt });
    const session = await openWriter(early, prepared.start);
    deadline.stop();
    report.writer = session.writer;
    const run = buildRun(context, { prepared, session, maxTimeMs: deadline.left() });
    report.guard = run.guard;
    const name = context.flags.text("name");
    recordFacts(session, { model: run.model, think: thinkFlag(context.flags), name });
    tellParts(context, { run, session, rules: prepared.rules });
    tellExposed(context, { run, session, settings });
    await output.begin(session.writer);
    await followRun(context, { report, output, run, session, hooks: hooksOf(context, settings) });
  } finally {
    deadline.stop();
  }
}

/** What a run needs, but for its session's writer. */
interface Prepared {
  readonly settings: Settings;
  readonly prompt: PromptInput;
  readonly start: SessionStart;
  readonly rules: RunRules;
  readonly model: Model;
  readonly tools: ToolSet;
  readonly systemPrompt: string;
  readonly answerFormat: AnswerFormat | undefined;
}

/** What `--schema` asks for; the library that checks answers is loaded only for it. */
async function answerFormatOf(context: CommandContext): Promise<AnswerFormat | undefined> {
  const file = context.flags.text("schema");
  if (file === undefined) return undefined;
  const { loadAnswerSchema } = await import("./run-schema.ts");
  return await loadAnswerSchema(file, context);
}

async function prepare(
  context: CommandContext,
  given: { readonly settings: Settings; readonly prompt: PromptInput },
): Promise<Prepared> {
  const { settings } = given;
  const { io } = context;
  // Before a server is asked for anything: a mistake is not for trying again later.
  demandKnownTools(toolNamesOf(context) ?? [], settings.tools);
  const answerFormat = await answerFormatOf(context);
  const prompt = await expanded(context, given.prompt);
  const start = await startSession(context);
  for (const notice of start.notices) io.notice(notice);
  const rules = await loadRunRules(context, settings.ttsr);
  const model = await chooseModel({ context, settings, sessionModel: start.context.model });
  const info = await modelInfo(model, context.signal);
  if (info?.vision === false && prompt.images.length > 0) {
    throw new AppError("settings", `The model ${model.id} takes no images, but the prompt has one`, {
      hint: "agent models lists what each model can do.",
    });
  }
  const own = [...runFiles(context, start), ...programFiles(settings, context.cwd)];
  const tools = await runTools(context, { settings, model, info, runFiles: own, readRule: rules.read });
  const systemPrompt = await systemPromptOf(context, { rules, tools, schema: answerFormat?.schema });
  return { settings, prompt, start, rules, model, tools, systemPrompt, answerFormat };
}

interface RunParts {
  readonly prepared: Prepared;
  readonly session: OpenedSession;
  readonly maxTimeMs: number | undefined;
}

function buildRun(context: CommandContext, { prepared, session, maxTimeMs }: RunParts): AgentRun {
  const { flags, cwd } = context;
  const { settings, prompt, rules, model, tools, systemPrompt, answerFormat } = prepared;
  const timestamp = Date.now();
  return {
    model,
    systemPrompt,
    history: session.history,
    prompt: [
      ...missingResults(session.history, timestamp),
      { role: "user", content: promptContent(prompt), timestamp },
    ],
    tools,
    options: optionsOf(context, settings, session.context.thinkingLevel),
    limits: { ...limitsOf(context, settings), maxTimeMs },
    retry: { ...settings.retry, attempts: flags.integer("retries") ?? settings.retry.attempts },
    guard: createRuleGuard({
      rules: rules.watching,
      settings: settings.ttsr,
      cwd,
      tools,
      injected: session.context.injectedTtsrRules,
    }),
    ...(answerFormat === undefined ? {} : { answerFormat }),
    failOnDenied: flags.has("fail-on-denied"),
    failOnViolation: flags.has("fail-on-violation"),
  };
}

/** With `--verbose`: what the run is made of. */
function tellParts(
  { io }: CommandContext,
  parts: { readonly run: AgentRun; readonly session: OpenedSession; readonly rules: RunRules },
): void {
  const { run, session, rules } = parts;
  const { header, path } = session.writer;
  const names = (list: readonly string[]) => (list.length === 0 ? "none" : list.join(", "));
  io.detail(`session: ${header.id} ${path ?? "(in memory)"}`);
  io.detail(`model: ${run.model.provider}/${run.model.id}`);
  io.detail(`tools: ${names(run.tools.offered.map(({ spec }) => spec.name))}`);
  io.detail(`rules that watch: ${names(rules.watching.map(({ name }) => name))}`);
}

/** A commit of the run's own files is made before anybody looks at it. */
function tellExposed(
  context: CommandContext,
  parts: { readonly run: AgentRun; readonly session: OpenedSession; readonly settings: Settings },
): void {
  const { run, session, settings } = parts;
  if (!run.tools.offered.some(({ spec }) => spec.name === "bash")) return;
  const granted = permissionsOf(context, settings.permissions).run;
  const notice = commitNotice(context, session.writer.path, granted);
  if (notice !== undefined) context.io.notice(notice);
}

function hooksOf(context: CommandContext, settings: Settings): Hooks {
  const { cwd, env } = context;
  const { hooks, tools } = settings;
  return createHooks({ hooks, tools, cwd, env, allowEnv: permissionsOf(context, settings.permissions).env });
}

/** The prompt with its template, if it asks for one. */
async function expanded(context: CommandContext, prompt: PromptInput): Promise<PromptInput> {
  const trusted = await projectTrust(context);
  const { text, notice } = expandTemplate(prompt.text, {
    cwd: context.cwd,
    userDirectory: userDirectory(context),
    trusted: () => trusted,
  });
  if (notice !== undefined) context.io.notice(notice);
  return { ...prompt, text };
}

/** Undefined if the server is away: the loop's first request finds out, and tries again. */
async function modelInfo(model: Model, signal: AbortSignal): Promise<ModelInfo | undefined> {
  try {
    return await model.info(signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof AppError && error.kind === "unavailable") return undefined;
    throw error;
  }
}
