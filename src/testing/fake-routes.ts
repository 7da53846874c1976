// What the fake server answers on each path, and what it keeps between requests.

import type { JsonObject } from "../base/json.ts";
import { errorAnswer, type FakeAnswer } from "./fake-answers.ts";
import { faultOf } from "./fake-checks.ts";
import { contextOf, enforceWindow, type FakeWindow } from "./fake-window.ts";

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

/** What a server keeps: the answers that are left, and what a chat has loaded. */
export interface ServerState {
  readonly options: FakeOllamaOptions;
  readonly models: readonly FakeModel[];
  readonly answers: ScriptedAnswer[];
  /** Model → the window that it was loaded with. */
  readonly loaded: Map<string, number>;
}

export function newServerState(options: FakeOllamaOptions): ServerState {
  const models = options.models ?? [{ name: "fake" }];
  return { options, models, answers: [...(options.answers ?? [])], loaded: new Map() };
}

const ALL_CAPABILITIES = ["completion", "tools", "thinking", "vision"];
/** Without a window, everything fits; a request that asks for none is given this. */
const UNLIMITED: FakeWindow = { defaultContext: 1_000_000_000 };

/** The answer to a request, by its path. */
export function answerTo(request: FakeRequest, state: ServerState): FakeAnswer {
  const { options, models } = state;
  const scripted = options.paths?.[request.path];
  if (scripted !== undefined) return made(scripted, request);
  switch (request.path) {
    case "/api/chat":
      return chatAnswer(request, state);
    case "/api/tags":
      return json({ models: models.map((model) => ({ name: model.name, model: model.name, details: {} })) });
    case "/api/ps":
      return json({ models: models.flatMap((model) => loadedRow(model, state)) });
    case "/api/show":
      return showAnswer(models.find((model) => model.name === request.body["model"]));
    case "/api/version":
      return json({ version: options.version ?? "0.32.0" });
    default:
      return { status: 404, headers: { "content-type": "text/plain" }, lines: ["404 page not found"] };
  }
}

function chatAnswer(request: FakeRequest, state: ServerState): FakeAnswer {
  const name = request.body["model"];
  const model = state.models.find((each) => each.name === name);
  if (model === undefined) return notFound(name);
  const fault = faultOf(request.body, model.capabilities ?? ALL_CAPABILITIES);
  if (fault !== undefined) return errorAnswer(400, fault);
  const window = state.options.window ?? UNLIMITED;
  state.loaded.set(model.name, contextOf(request.body, window));
  const verdict = enforceWindow(request.body, window);
  if (verdict.answer !== undefined) return verdict.answer;
  const next = state.answers.shift();
  if (next === undefined) return errorAnswer(400, "the fake server has no answer left for this request");
  const answer = made(next, request);
  if (state.options.window === undefined || verdict.promptTokens === undefined) return answer;
  return withPromptTokens(answer, verdict.promptTokens);
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

function loadedRow({ name, loadedContext }: FakeModel, { loaded }: ServerState): readonly object[] {
  const context = loaded.get(name) ?? loadedContext;
  return context === undefined ? [] : [{ name, model: name, context_length: context }];
}

function showAnswer(model: FakeModel | undefined): FakeAnswer {
  if (model === undefined) return notFound("?");
  return json({
    capabilities: model.capabilities ?? ALL_CAPABILITIES,
    model_info: { "general.architecture": "fake", "fake.context_length": model.contextLength ?? 131_072 },
  });
}
