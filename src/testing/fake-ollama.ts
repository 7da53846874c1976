// A fake Ollama: a real HTTP server on loopback that gives scripted answers turn by turn, records what it was asked
// and when the client went away, and can enforce a small context window.

import { Buffer } from "node:buffer";
import { isObject, type JsonObject, parseJson } from "../base/json.ts";
import { errorAnswer, type FakeAnswer } from "./fake-answers.ts";
import { type HttpReply, type HttpRequest, listenHttp } from "./fake-http.ts";
import { enforceWindow, type FakeWindow } from "./fake-window.ts";

export interface FakeModel {
  readonly name: string;
  readonly capabilities?: readonly string[];
  /** Of `/api/show`; default 131072. */
  readonly contextLength?: number;
  /** Of `/api/ps`: the model is loaded with this window. */
  readonly loadedContext?: number;
}

/** A request as it came. `body` is the decoded JSON, `{}` if there was none. */
export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** Resolves when the client closed the connection before the answer had ended. */
  readonly clientGone: Promise<void>;
  isClientGone(): boolean;
}

/** An answer, or a function that makes it from the request. */
export type ScriptedAnswer = FakeAnswer | ((request: FakeRequest) => FakeAnswer);

export interface FakeOllamaOptions {
  /** Default: one, `fake`, with `completion`, `tools`, `thinking` and `vision`. */
  readonly models?: readonly FakeModel[];
  /** Answers of `/api/chat`, one a request. When they are used up, the server answers 400. */
  readonly answers?: readonly ScriptedAnswer[];
  /** Answers of other paths, in place of the built-in ones: `/api/tags`, `/api/show`, `/api/ps`, `/api/version`. */
  readonly paths?: Readonly<Record<string, ScriptedAnswer>>;
  readonly version?: string;
  readonly window?: FakeWindow;
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string;
}

export interface FakeOllama extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** Every request so far, in order. */
  readonly requests: readonly FakeRequest[];
  /** The requests to `/api/chat`. */
  chats(): readonly FakeRequest[];
  /** Resolves with the n-th chat request (from 0) as soon as it is there. */
  chat(index: number): Promise<FakeRequest>;
  /** Resolves with the first request to a path as soon as it is there. */
  request(path: string): Promise<FakeRequest>;
  /** Adds answers after those that are left. */
  enqueue(...answers: readonly ScriptedAnswer[]): void;
}

const ALL_CAPABILITIES = ["completion", "tools", "thinking", "vision"];

/** Starts a server. `await using server = await fakeOllama({ answers: [textAnswer("hi")] })` ends it with the block. */
export async function fakeOllama(options: FakeOllamaOptions = {}): Promise<FakeOllama> {
  const requests: FakeRequest[] = [];
  const answers: ScriptedAnswer[] = [...(options.answers ?? [])];
  const waiting: {
    readonly find: () => FakeRequest | undefined;
    readonly resolve: (request: FakeRequest) => void;
  }[] = [];
  const awaitRequest = (find: () => FakeRequest | undefined): Promise<FakeRequest> => {
    const request = find();
    return request === undefined
      ? new Promise((resolve) => waiting.push({ find, resolve }))
      : Promise.resolve(request);
  };
  const chats = () => requests.filter((request) => request.path === "/api/chat");
  const server = await listenHttp(async (http, reply) => {
    const request = recordRequest(http, reply);
    requests.push(request);
    for (const wait of waiting) {
      const found = wait.find();
      if (found !== undefined) wait.resolve(found);
    }
    await sendAnswer(pickAnswer(request, options, answers), reply);
  }, options.host);
  const host = options.host?.includes(":") ? `[${options.host}]` : (options.host ?? "127.0.0.1");
  return {
    url: `http://${host}:${server.port}`,
    port: server.port,
    requests,
    chats,
    chat: (index) => awaitRequest(() => chats()[index]),
    request: (path) => awaitRequest(() => requests.find((request) => request.path === path)),
    enqueue: (...more) => void answers.push(...more),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

function recordRequest(http: HttpRequest, reply: HttpReply): FakeRequest {
  const body = parseJson(http.body);
  return {
    method: http.method,
    path: http.path,
    headers: http.headers,
    body: isObject(body) ? body : {},
    clientGone: reply.clientGone,
    isClientGone: reply.isClientGone,
  };
}

function pickAnswer(request: FakeRequest, options: FakeOllamaOptions, answers: ScriptedAnswer[]): FakeAnswer {
  const scripted = options.paths?.[request.path];
  if (scripted !== undefined) return made(scripted, request);
  const models = options.models ?? [{ name: "fake" }];
  switch (request.path) {
    case "/api/chat":
      return chatAnswer(request, { models, answers, window: options.window });
    case "/api/tags":
      return json({ models: models.map((model) => ({ name: model.name, model: model.name, details: {} })) });
    case "/api/ps":
      return json({ models: models.flatMap(loadedRow) });
    case "/api/show":
      return showAnswer(models.find((model) => model.name === request.body["model"]));
    case "/api/version":
      return json({ version: options.version ?? "0.32.0" });
    default:
      return { status: 404, headers: { "content-type": "text/plain" }, lines: ["404 page not found"] };
  }
}

interface ChatState {
  readonly models: readonly FakeModel[];
  readonly answers: ScriptedAnswer[];
  readonly window: FakeWindow | undefined;
}

function chatAnswer(request: FakeRequest, state: ChatState): FakeAnswer {
  const name = request.body["model"];
  if (!state.models.some((model) => model.name === name)) return notFound(name);
  const refused = state.window === undefined ? undefined : enforceWindow(request.body, state.window);
  if (refused?.answer !== undefined) return refused.answer;
  const next = state.answers.shift();
  if (next === undefined) return errorAnswer(400, "the fake server has no answer left for this request");
  const answer = made(next, request);
  return refused?.promptTokens === undefined ? answer : withPromptTokens(answer, refused.promptTokens);
}

/** What the window made of the prompt shows in the count of the last line. */
function withPromptTokens(answer: FakeAnswer, tokens: number): FakeAnswer {
  const lines = answer.lines.map((line) =>
    typeof line === "object" && "done" in line && line.done === true
      ? { ...line, prompt_eval_count: tokens }
      : line,
  );
  return { ...answer, lines };
}

function made(answer: ScriptedAnswer, request: FakeRequest): FakeAnswer {
  return typeof answer === "function" ? answer(request) : answer;
}

function json(value: object): FakeAnswer {
  return { headers: { "content-type": "application/json; charset=utf-8" }, lines: [JSON.stringify(value)] };
}

function notFound(name: unknown): FakeAnswer {
  return errorAnswer(404, `model '${String(name)}' not found`);
}

function loadedRow(model: FakeModel): readonly object[] {
  return model.loadedContext === undefined
    ? []
    : [{ name: model.name, model: model.name, context_length: model.loadedContext }];
}

function showAnswer(model: FakeModel | undefined): FakeAnswer {
  if (model === undefined) return notFound("?");
  return json({
    capabilities: model.capabilities ?? ALL_CAPABILITIES,
    model_info: { "general.architecture": "fake", "fake.context_length": model.contextLength ?? 131_072 },
  });
}

async function sendAnswer(answer: FakeAnswer, reply: HttpReply): Promise<void> {
  await pause(answer.headDelayMs);
  if (answer.status === 0) return reply.reset();
  reply.head(answer.status ?? 200, { "content-type": "application/x-ndjson", ...answer.headers });
  const lines = answer.lines.map(encodeLine);
  for (const bytes of answer.cuts === undefined ? lines : cutBytes(Buffer.concat(lines), answer.cuts)) {
    await pause(answer.lineDelayMs);
    if (reply.isClientGone()) return;
    reply.chunk(bytes);
    // A turn of the event loop, so that each write is one the client can see by itself.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (answer.ending !== undefined) await pause(answer.lineDelayMs);
  switch (answer.ending ?? "end") {
    case "end":
      return reply.end();
    case "cut":
      return reply.cut();
    case "reset":
      return reply.reset();
    case "open":
      return await reply.clientGone;
  }
}

function pause(ms: number | undefined): Promise<void> | undefined {
  return ms === undefined ? undefined : new Promise((resolve) => setTimeout(resolve, ms));
}

function encodeLine(line: object | string): Buffer {
  return Buffer.from(typeof line === "string" ? line : `${JSON.stringify(line)}\n`);
}

function* cutBytes(bytes: Buffer, cuts: readonly number[]): Generator<Buffer, void> {
  let offset = 0;
  for (let index = 0; offset < bytes.length; index++) {
    const size = Math.max(1, cuts[Math.min(index, cuts.length - 1)] ?? bytes.length);
    yield bytes.subarray(offset, offset + size);
    offset += size;
  }
}
