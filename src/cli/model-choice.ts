// Which model answers: `--model`, else the session's own, else the settings, else the only one that the server has.

import { resolve } from "node:path";
import { backoffDelay } from "../agent/backoff.ts";
import { renderDuration } from "../base/duration.ts";
import { AppError, isRetryable } from "../base/errors.ts";
import { sleep } from "../base/timer.ts";
import type { Model } from "../model/model.ts";
import { parseHost } from "../model/ollama/host.ts";
import { ollamaModel } from "../model/ollama/model.ts";
import { listModels, type OllamaServer } from "../model/ollama/server.ts";
import { recordedModel } from "../model/record.ts";
import { replayModel } from "../model/replay.ts";
import type { Settings } from "../settings/settings.ts";
import type { CommandContext } from "./command.ts";
import { outputClash } from "./output-clash.ts";
import { replayFile } from "./replay-file.ts";

export interface ModelWish {
  readonly context: CommandContext;
  readonly settings: Settings;
  /** `SessionContext.model` of the session that goes on. */
  readonly sessionModel?: { readonly provider: string; readonly modelId: string } | undefined;
  /** Wins over `settings.model`: `handoff.model`. */
  readonly settingsModel?: string | undefined;
}

/** The server that is meant, by flag, settings and environment. Throws `AppError` for an address or a key that is none. */
export function chooseServer(wish: Pick<ModelWish, "context" | "settings">): OllamaServer {
  const { flags, env } = wish.context;
  const apiKey = readApiKey(env["OLLAMA_API_KEY"]);
  const flag = flags.text("host");
  if (flag !== undefined) return { host: parseHost(flag, "--host", "usage"), apiKey };
  if (wish.settings.host !== undefined) return { host: parseHost(wish.settings.host, "host"), apiKey };
  return { host: parseHost(env["OLLAMA_HOST"] ?? ""), apiKey };
}

/** The key is not shown: what is wrong with it may be all but one character of it. */
function readApiKey(given: string | undefined): string | undefined {
  const key = given?.trim() || undefined;
  if (key === undefined || /^[!-~]+$/.test(key)) return key;
  throw new AppError("settings", "OLLAMA_API_KEY has a character that no key can have", {
    hint: "A key is one word of plain ASCII; was it copied with quotes or a line break?",
  });
}

/** The model that somebody named: flag, session, settings; `undefined` if nobody did. */
export function namedModel(wish: ModelWish): string | undefined {
  const { sessionModel } = wish;
  const flag = wish.context.flags.text("model");
  if (flag !== undefined) return flag;
  if (sessionModel?.provider === "ollama") return sessionModel.modelId;
  return wish.settingsModel ?? wish.settings.model;
}

/**
 * The model for this run, recorded if `--record` was given. Throws `AppError`: `notFound` or `input` for a recording,
 * `settings` with the list of models if none is named and the server has not exactly one, `unavailable` if the server
 * had to be asked and does not answer. A named model is not looked up: the first request tells.
 */
export async function chooseModel(wish: ModelWish): Promise<Model> {
  const { context } = wish;
  const given = context.flags.text("record");
  const record = given === undefined ? undefined : resolve(context.cwd, given);
  const model = await unrecordedModel(wish, record);
  return record === undefined ? model : recordedModel(model, record);
}

async function unrecordedModel(wish: ModelWish, record: string | undefined): Promise<Model> {
  const { context, settings } = wish;
  const named = namedModel(wish);
  const recording = named === undefined ? undefined : replayFile(named, context.cwd);
  if (recording !== undefined) {
    // The settings may name it too.
    const played = { label: "the recording that answers", path: recording };
    const clash = record && outputClash({ label: "--record", path: record }, [played]);
    if (clash) throw clash;
    return await replayModel(recording, context.signal);
  }
  if (named?.trim() === "") throw new AppError("usage", "--model needs a name");
  const server = chooseServer(wish);
  return ollamaModel({
    ...server,
    model: named ?? (await onlyModel(server, wish)),
    numCtx: context.flags.integer("num-ctx") ?? settings.numCtx,
    keepAlive: settings.keepAlive,
  });
}

async function onlyModel(server: OllamaServer, wish: ModelWish): Promise<string> {
  const { context } = wish;
  const models = await listPatiently(server, wish);
  const [only] = models;
  if (only !== undefined && models.length === 1) {
    context.io.notice(`model: ${only} (the only one at ${server.host.url})`);
    return only;
  }
  if (models.length === 0) {
    throw new AppError("settings", `No model was named, and the server at ${server.host.url} has none`, {
      hint: 'Bring one with "ollama pull <name>".',
    });
  }
  throw new AppError(
    "settings",
    `No model was named, and the server at ${server.host.url} has ${models.length}: ${models.join(", ")}`,
    {
      hint: "Choose one with --model, or set it in the settings.",
    },
  );
}

/** The list is asked for as often as a request is tried: a server that was just started may not answer yet. */
async function listPatiently(server: OllamaServer, wish: ModelWish): Promise<readonly string[]> {
  const { io, flags, signal } = wish.context;
  const { attempts, baseDelayMs } = wish.settings.retry;
  const most = flags.integer("retries") ?? attempts;
  for (let attempt = 1; ; attempt++) {
    try {
      return await listModels(server, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AppError && isRetryable(error.kind)) || attempt > most) throw error;
      const delayMs = backoffDelay({ attempt, baseDelayMs, retryAfterMs: undefined, random: Math.random() });
      io.notice(`${error.message}; retry ${attempt} of ${most} in ${renderDuration(delayMs)}`);
      await sleep(delayMs, signal);
    }
  }
}
