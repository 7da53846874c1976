// A model on an Ollama server, through the npm package `ollama`. One client a request, because that package's abort
// ends all streams of a client; whatever way a stream is left, its connection is closed.

import { Ollama } from "ollama";
import { abortFailure } from "../abort.ts";
import { type AnswerBuilder, answerBuilder } from "../answer.ts";
import type { Model, ModelEvent, ModelFailure, ModelInfo, ModelRequest } from "../model.ts";
import { assembler } from "./assemble.ts";
import { decodeChunk } from "./chunk.ts";
import { thrownFailure } from "./failure.ts";
import { buildRequest } from "./request.ts";
import { loadedContexts, type OllamaServer, showModel } from "./server.ts";
import { requestFetch } from "./transport.ts";
import { chooseContext } from "./window.ts";

export interface OllamaModelOptions extends OllamaServer {
  readonly model: string;
  /** `--num-ctx` or the settings. */
  readonly numCtx: number | undefined;
  readonly keepAlive: string | number | undefined;
}

/** What is known of the model, once it was asked for. */
interface Known {
  readonly info: ModelInfo;
  readonly numCtx: number | undefined;
}

/** The model `options.model` of a server. Nothing is sent before `info` or `stream`. */
export function ollamaModel(options: OllamaModelOptions): Model {
  let known: Promise<Known> | undefined;
  const knownOnce = (signal: AbortSignal): Promise<Known> => {
    known ??= learn(options, signal);
    // What failed is asked again next time.
    known.catch(() => {
      known = undefined;
    });
    return known;
  };
  return {
    provider: "ollama",
    id: options.model,
    info: async (signal) => (await knownOnce(signal)).info,
    async *stream(request, signal) {
      yield { type: "start" };
      const build = answerBuilder({ api: "ollama", provider: "ollama", model: options.model });
      const own = new AbortController();
      try {
        yield* streamAnswer(request, {
          options,
          build,
          known: () => knownOnce(signal),
          signal: AbortSignal.any([signal, own.signal]),
          outer: signal,
        });
      } finally {
        own.abort();
      }
    },
  };
}

async function learn(options: OllamaModelOptions, signal: AbortSignal): Promise<Known> {
  const [details, loaded] = await Promise.all([
    showModel(options, options.model, signal),
    loadedContexts(options, signal),
  ]);
  const numCtx = chooseContext({
    asked: options.numCtx,
    modelContext: details.contextLength,
    loadedContext: loaded.get(options.model) ?? loaded.get(`${options.model}:latest`),
    remote: details.remote,
  });
  const can = (capability: string) => details.capabilities.includes(capability);
  return {
    numCtx,
    info: {
      contextWindow: numCtx ?? details.contextLength,
      tools: can("tools"),
      vision: can("vision"),
      thinking: can("thinking"),
    },
  };
}

interface Streaming {
  readonly options: OllamaModelOptions;
  readonly build: AnswerBuilder;
  readonly known: () => Promise<Known>;
  /** Aborted from outside, or because the stream was left. */
  readonly signal: AbortSignal;
  /** Aborted from outside. */
  readonly outer: AbortSignal;
}

async function* streamAnswer(request: ModelRequest, streaming: Streaming): AsyncGenerator<ModelEvent, void> {
  const { options, build, signal, outer } = streaming;
  const assemble = assembler(build, () => `call_${crypto.randomUUID().slice(0, 8)}`);
  try {
    const { info, numCtx } = await streaming.known();
    const body = buildRequest(request, { model: options.model, info, numCtx, keepAlive: options.keepAlive });
    const client = new Ollama({
      host: options.host.url,
      fetch: requestFetch({ ...options, signal }),
    });
    const chunks = await client.chat(body);
    for await (const value of chunks) {
      for (const event of assemble.push(decodeChunk(value))) yield event;
      if (outer.aborted) break;
    }
    if (!outer.aborted) {
      yield build.done({ stopReason: assemble.stopReason(), usage: assemble.usage() });
      return;
    }
  } catch (error) {
    if (!outer.aborted) {
      const failure = failureOf(error, options);
      yield build.error({ failure, aborted: false, usage: assemble.usage() });
      return;
    }
  }
  yield build.error({ failure: abortFailure(outer), aborted: true, usage: assemble.usage() });
}

function failureOf(error: unknown, options: OllamaModelOptions): ModelFailure {
  return thrownFailure(error, { host: options.host.url, model: options.model });
}
