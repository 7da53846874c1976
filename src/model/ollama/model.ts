// A model on an Ollama server, through the npm package `ollama`. One client a request, because that package's abort
// ends all streams of a client; whatever way a stream is left, its connection is closed.
//
// The room, in the order in which a request passes through it: host (an address as people write it), learn (what the
// model can do; server asks, window chooses its size), request (the body; tool-schema), transport (the `fetch` that the
// library is given; connect and direct-fetch reach the server, lines checks the body), chunk (one decoded line),
// assemble (chunks to events; think-tags and text-calls read what models write as text, by states), failure (what an
// error means).

import { Ollama } from "ollama";
import { AppError } from "../../base/errors.ts";
import { abortFailure } from "../abort.ts";
import { type AnswerBuilder, answerBuilder } from "../answer.ts";
import type { Model, ModelEvent, ModelFailure, ModelRequest } from "../model.ts";
import { correctEstimate, estimateRequestTokens, type TokenCount } from "../tokens.ts";
import { type Assembler, assembler } from "./assemble.ts";
import { decodeChunk } from "./chunk.ts";
import { contextOverflow, failureOfError, ModelError, thrownFailure } from "./failure.ts";
import { type KnownModel, learnModel, loadedContextOf, type ModelWanted } from "./learn.ts";
import { overrunWatch } from "./overrun.ts";
import { buildRequest, type SentRequest } from "./request.ts";
import { requestFetch } from "./transport.ts";
import { findCut } from "./window.ts";

export interface OllamaModelOptions extends ModelWanted {
  readonly keepAlive: string | number | undefined;
}

/** The answer is there; a question that only checks it must not hold it up. */
const AFTERTHOUGHT_MS = 3_000;

/** What a model keeps from one request to the next. */
interface Memory {
  known: Promise<KnownModel> | undefined;
  /** The window that the server really gave, once the model was loaded. */
  actualContext: number | undefined;
  last: TokenCount | undefined;
  /** Notices that were given already. */
  readonly said: Set<string>;
}

/** The model `options.model` of a server. Nothing is sent before `info` or `stream`. */
export function ollamaModel(options: OllamaModelOptions): Model {
  const memory: Memory = { known: undefined, actualContext: undefined, last: undefined, said: new Set() };
  return {
    provider: "ollama",
    id: options.model,
    async info(signal) {
      const { info } = await know(options, memory, signal);
      return memory.actualContext === undefined ? info : { ...info, contextWindow: memory.actualContext };
    },
    async *stream(request, signal) {
      const leave = new AbortController();
      try {
        yield { type: "start" };
        yield* streamAnswer(request, {
          options,
          memory,
          build: answerBuilder({ api: "ollama", provider: "ollama", model: options.model }),
          aborted: signal,
          signal: AbortSignal.any([signal, leave.signal]),
        });
      } finally {
        leave.abort();
      }
    },
  };
}

/** Asks once; what failed is asked again the next time. */
async function know(options: OllamaModelOptions, memory: Memory, signal: AbortSignal): Promise<KnownModel> {
  memory.known ??= learnModel(options, signal);
  try {
    return await memory.known;
  } catch (error) {
    memory.known = undefined;
    throw error;
  }
}

interface Streaming {
  readonly options: OllamaModelOptions;
  readonly memory: Memory;
  readonly build: AnswerBuilder;
  /** Aborted from outside. */
  readonly aborted: AbortSignal;
  /** The same, or the stream was left. */
  readonly signal: AbortSignal;
}

async function* streamAnswer(request: ModelRequest, streaming: Streaming): AsyncGenerator<ModelEvent, void> {
  const { build, aborted } = streaming;
  const names = request.options.format === undefined ? request.tools.map((tool) => tool.name) : [];
  const assemble = assembler({
    build,
    textCallNames: new Set(names),
    newId: () => `call_${crypto.randomUUID().slice(0, 8)}`,
  });
  try {
    const known = await know(streaming.options, streaming.memory, streaming.signal);
    refuseLongPrompt(request, known, streaming.memory);
    const body = bodyOf(request, known, streaming);
    const maxTokens = body.options.num_predict;
    const watch = overrunWatch(maxTokens);
    for await (const raw of openChat(body, streaming)) {
      const chunk = decodeChunk(raw);
      const events = assemble.push(chunk);
      yield* events;
      aborted.throwIfAborted();
      if (!watch.isPast(chunk, events)) continue;
      yield* assemble.end();
      const notices = [
        `the server went on past ${maxTokens} tokens, the most it was asked for; it was cut off`,
      ];
      return yield* build.done({ stopReason: "length", usage: watch.usage(), notices });
    }
    yield* assemble.end();
    const stopReason = assemble.stopReason();
    const notices = await noticesOf(request, { known, streaming, assemble });
    yield* build.done({ stopReason, usage: assemble.usage(), notices });
  } catch (error) {
    const failure = aborted.aborted ? abortFailure(aborted) : expectedFailure(error);
    yield* assemble.end();
    yield* build.error({ failure, aborted: aborted.aborted, usage: assemble.usage() });
  }
}

function bodyOf(request: ModelRequest, known: KnownModel, { options }: Streaming): SentRequest {
  const { info, numCtx, remote } = known;
  const { model, keepAlive } = options;
  return buildRequest(request, { model, info, numCtx, remote, keepAlive });
}

async function* openChat(body: SentRequest, { options, signal }: Streaming): AsyncGenerator<unknown, void> {
  const client = new Ollama({
    host: options.host.url,
    fetch: requestFetch({ ...options, signal, streaming: true }),
  });
  try {
    yield* await client.chat(body);
  } catch (error) {
    // Whatever the library and the runtimes throw is the connection's or the server's fault.
    throw new ModelError(thrownFailure(error, { host: options.host.url, model: options.model }));
  }
}

/** The failure that an error stands for. Any other error is a bug, and thrown again. */
function expectedFailure(error: unknown): ModelFailure {
  if (error instanceof ModelError) return error.failure;
  if (error instanceof AppError) return failureOfError(error);
  throw error;
}

/** A server that would cut the prompt without a word is not given one that is too long. */
function refuseLongPrompt(request: ModelRequest, known: KnownModel, memory: Memory): void {
  const window = memory.actualContext ?? known.info.contextWindow;
  if (known.refusesLongPrompts || window === undefined) return;
  const tokens = correctEstimate(estimateRequestTokens(request), memory.last);
  if (tokens > window) throw new ModelError(contextOverflow({ tokens, window }));
}

interface Answered {
  readonly known: KnownModel;
  readonly streaming: Streaming;
  readonly assemble: Assembler;
}

/** What the caller must hear about: a smaller window than was asked for, a prompt that was cut. Each is said once. */
async function noticesOf(request: ModelRequest, answered: Answered): Promise<readonly string[]> {
  const { known, streaming, assemble } = answered;
  const { memory, options } = streaming;
  const notices = [...known.notices, ...leftOutNotices(request, known, options.model)];
  const { numCtx } = known;
  if (numCtx !== undefined) {
    const actual = await actualContext(known, streaming);
    if (actual < numCtx) {
      notices.push(
        `${options.model} was loaded with a context of ${actual} tokens; ${numCtx} were asked for`,
      );
    }
    const count = { estimated: estimateRequestTokens(request), counted: assemble.usage().input };
    const cut = findCut({ ...count, context: actual, previous: memory.last });
    // A count of a cut prompt corrects nothing.
    if (cut === undefined) memory.last = count;
    else notices.push(`the server cut the prompt, so the answer rests on a part of it: ${cut}`);
  }
  const fresh = notices.filter((notice) => !memory.said.has(notice));
  for (const notice of fresh) memory.said.add(notice);
  return fresh;
}

/** What the model does not take and was not sent. */
function leftOutNotices(request: ModelRequest, { info }: KnownModel, model: string): readonly string[] {
  const { think } = request.options;
  const thinks = info.thinking || think === undefined || think === "off";
  return [
    ...(thinks ? [] : [`${model} does not think: "${think}" was left out`]),
    ...(info.tools || request.tools.length === 0
      ? []
      : [`${model} takes no tools; it was asked without them`]),
  ];
}

/** Asked once, after the first answer: what the server says after loading is the truth. */
async function actualContext(known: KnownModel, { options, memory, signal }: Streaming): Promise<number> {
  const asked = known.numCtx ?? 0;
  if (known.loaded) return asked;
  if (memory.actualContext === undefined) {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(AFTERTHOUGHT_MS)]);
    memory.actualContext = Math.min((await loadedContextOf(options, soon)) ?? asked, asked);
  }
  return memory.actualContext;
}
