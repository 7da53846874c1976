// A fake Ollama: a real HTTP server on loopback that gives scripted answers turn by turn, records what it was asked
// and when the client went away, and can enforce a small context window.

import { Buffer } from "node:buffer";
import { isObject, parseJson } from "../base/json.ts";
import type { FakeAnswer } from "./fake-answers.ts";
import { type HttpReply, type HttpRequest, listenHttp } from "./fake-http.ts";
import {
  answerTo,
  type FakeOllamaOptions,
  type FakeRequest,
  newServerState,
  type ScriptedAnswer,
} from "./fake-routes.ts";

export type { FakeModel, FakeOllamaOptions, FakeRequest, ScriptedAnswer } from "./fake-routes.ts";

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

/** Starts a server. `await using server = await fakeOllama({ answers: [textAnswer("hi")] })` ends it with the block. */
export async function fakeOllama(options: FakeOllamaOptions = {}): Promise<FakeOllama> {
  const requests: FakeRequest[] = [];
  const state = newServerState(options);
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
    await sendAnswer(answerTo(request, state), reply);
  }, options.host);
  const host = options.host?.includes(":") ? `[${options.host}]` : (options.host ?? "127.0.0.1");
  return {
    url: `http://${host}:${server.port}`,
    port: server.port,
    requests,
    chats,
    chat: (index) => awaitRequest(() => chats()[index]),
    request: (path) => awaitRequest(() => requests.find((request) => request.path === path)),
    enqueue: (...more) => void state.answers.push(...more),
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
