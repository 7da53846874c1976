// What has to be known of a model before it is asked: what it can do, and the window that it will be asked for.

import { AppError } from "../../base/errors.ts";
import type { ModelInfo } from "../model.ts";
import { loadedContexts, type ModelDetails, type OllamaServer, serverVersion, showModel } from "./server.ts";
import { chooseContext, refusesLongPrompts } from "./window.ts";

export interface ModelWanted extends OllamaServer {
  readonly model: string;
  /** `--num-ctx` or the settings. */
  readonly numCtx: number | undefined;
}

export interface KnownModel {
  readonly info: ModelInfo;
  /** What every request asks for; left to the server if undefined. */
  readonly numCtx: number | undefined;
  /** Runs elsewhere. */
  readonly remote: boolean;
  /** The model was in memory with just this window already. */
  readonly loaded: boolean;
  /** The server refuses a prompt that it would have to cut. */
  readonly refusesLongPrompts: boolean;
  /** What differs from what was asked for; said once. */
  readonly notices: readonly string[];
}

/** Asks the server. Rejects with `AppError`: `notFound` if it does not have the model. */
export async function learnModel(wanted: ModelWanted, signal: AbortSignal): Promise<KnownModel> {
  const [details, loadedContext, version] = await Promise.all([
    showModel(wanted, wanted.model, signal),
    loadedContextOf(wanted, signal),
    optional(serverVersion(wanted, signal)),
  ]);
  const numCtx = chooseContext({
    asked: wanted.numCtx,
    modelContext: details.contextLength,
    modelfileContext: details.modelfileContext,
    loadedContext,
    remote: details.remote,
  });
  return {
    numCtx,
    remote: details.remote,
    info: { contextWindow: numCtx ?? details.contextLength, ...abilitiesOf(details) },
    loaded: numCtx !== undefined && numCtx === loadedContext,
    refusesLongPrompts: refusesLongPrompts(version),
    notices: contextNotices(wanted, numCtx),
  };
}

/** A server too old to name capabilities gets the benefit of the doubt, but for thinking, which it may refuse. */
function abilitiesOf(details: ModelDetails): Pick<ModelInfo, "tools" | "vision" | "thinking"> {
  const { capabilities } = details;
  if (capabilities === undefined) return { tools: true, vision: true, thinking: false };
  return {
    tools: capabilities.includes("tools"),
    vision: capabilities.includes("vision"),
    thinking: capabilities.includes("thinking"),
  };
}

function contextNotices(wanted: ModelWanted, numCtx: number | undefined): readonly string[] {
  if (wanted.numCtx === undefined || wanted.numCtx === numCtx) return [];
  const instead = numCtx === undefined ? "its server decides on its window" : `${numCtx} is its most`;
  return [`${wanted.model}: a context of ${wanted.numCtx} tokens was asked for, but ${instead}`];
}

/** The window that the model is in memory with; `undefined` if it is not, or the server does not say. */
export async function loadedContextOf(
  wanted: Pick<ModelWanted, "host" | "apiKey" | "model">,
  signal: AbortSignal,
): Promise<number | undefined> {
  const loaded = await optional(loadedContexts(wanted, signal));
  return loaded?.get(wanted.model) ?? loaded?.get(`${wanted.model}:latest`);
}

/** What only helps may be missing: `ollama.com` and old servers do not answer every question. */
async function optional<T>(question: Promise<T>): Promise<T | undefined> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
