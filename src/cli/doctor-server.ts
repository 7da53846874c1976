// Checks of the model server: is it there, is it ours, does it have the model.

import { renderDuration } from "../base/duration.ts";
import { AppError } from "../base/errors.ts";
import { plural } from "../base/text.ts";
import { learnModel } from "../model/ollama/learn.ts";
import { listModels, type OllamaServer, serverVersion } from "../model/ollama/server.ts";
import { refusesLongPrompts } from "../model/ollama/window.ts";
import { replayModel } from "../model/replay.ts";
import type { Settings } from "../settings/settings.ts";
import type { CommandContext } from "./command.ts";
import { type DoctorCheck, failedCheck, failedWith, passed } from "./doctor-check.ts";
import { chooseServer, namedModel } from "./model-choice.ts";
import { replayFile } from "./replay-file.ts";

/** These questions are answered from memory, in milliseconds. */
const PATIENCE_MS = 2_000;

type Check = (signal: AbortSignal) => Promise<DoctorCheck>;

export interface CheckedHost {
  readonly check: DoctorCheck;
  /** Left out if the address is none. */
  readonly server?: OllamaServer;
}

/** Whether the address can be read. */
export function checkHost(context: CommandContext, settings: Settings): CheckedHost {
  try {
    const server = chooseServer({ context, settings });
    if (server.host.cloud && server.apiKey === undefined) {
      const check = failedCheck("host", {
        detail: `${server.host.url} needs a key`,
        fix: "set OLLAMA_API_KEY",
      });
      return { check, server };
    }
    return { check: passed("host", server.host.url), server };
  } catch (error) {
    return { check: failedWith("host", appError(error)) };
  }
}

export interface ServerToCheck {
  readonly settings: Settings;
  readonly server: OllamaServer;
}

/** Whether the server answers, and whether the model that would be used is there. */
export async function checkServer(
  context: CommandContext,
  to: ServerToCheck,
): Promise<readonly DoctorCheck[]> {
  const { signal } = context;
  const named = namedModel({ context, settings: to.settings });
  const recording = named === undefined ? undefined : replayFile(named, context.cwd);
  if (recording !== undefined)
    return [await guarded("model", signal, () => checkRecording(recording, signal))];
  const server = await guarded("server", signal, (soon) => checkAnswers(to.server, soon));
  if (!server.ok) return [server];
  return [server, await guarded("model", signal, (soon) => checkModel(context, { ...to, named }, soon))];
}

/** The cloud has no version to tell. */
async function checkAnswers(server: OllamaServer, signal: AbortSignal): Promise<DoctorCheck> {
  if (!server.host.cloud) return checkVersion(await serverVersion(server, signal));
  const models = await listModels(server, signal);
  return passed("server", plural(models.length, "model"));
}

function checkVersion(version: string): DoctorCheck {
  if (refusesLongPrompts(version)) return passed("server", `Ollama ${version}`);
  return passed(
    "server",
    `Ollama ${version}, which cuts long prompts in silence; they are not sent (0.12.6 refuses them)`,
  );
}

async function checkRecording(file: string, signal: AbortSignal): Promise<DoctorCheck> {
  await replayModel(file, signal);
  return passed("model", `recorded answers in ${file}`);
}

async function checkModel(
  context: CommandContext,
  { settings, server, named }: ServerToCheck & { readonly named: string | undefined },
  signal: AbortSignal,
): Promise<DoctorCheck> {
  const { flags } = context;
  const model = named ?? (await onlyModel(server, signal));
  if (typeof model !== "string") return model;
  const known = await learnModel({ ...server, model, numCtx: settings.numCtx }, signal);
  const { contextWindow, tools, thinking, vision } = known.info;
  const abilities = Object.entries({ tools, thinking, vision }).flatMap(([name, can]) => (can ? [name] : []));
  const facts = [
    `context ${contextWindow ?? "unknown"}`,
    abilities.join(", "),
    ...(tools ? [] : ["no tools: it can answer, but do nothing"]),
    ...known.notices,
  ].filter((fact) => fact !== "");
  const source = named === undefined ? ", the only one" : flags.has("model") ? "" : ", from the settings";
  return passed("model", `${model}${source}: ${facts.join("; ")}`);
}

async function onlyModel(server: OllamaServer, signal: AbortSignal): Promise<string | DoctorCheck> {
  const models = await listModels(server, signal);
  const [only] = models;
  if (only === undefined) {
    return failedCheck("model", {
      detail: "the server has no models",
      fix: '"ollama pull <name>" brings one',
    });
  }
  if (models.length === 1) return only;
  return failedCheck("model", {
    detail: `none was named, and the server has ${models.length}: ${models.join(", ")}`,
    fix: 'choose one with --model, or set "model" in the settings',
  });
}

/** What a check threw is what it found; an abort ends the command. */
async function guarded(name: string, signal: AbortSignal, run: Check): Promise<DoctorCheck> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    return await run(AbortSignal.any([signal, patience]));
  } catch (error) {
    signal.throwIfAborted();
    if (!patience.aborted) return failedWith(name, appError(error));
    return failedCheck(name, {
      detail: `the server did not answer within ${renderDuration(PATIENCE_MS)}`,
      fix: "look at its log",
      fault: "server",
    });
  }
}

function appError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}
