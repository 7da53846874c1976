// Questions about the server that are no chat: its models, what they can do, what is loaded, its version. Answers are
// decoded here and nowhere else.

import { Ollama } from "ollama";
import { AppError } from "../../base/errors.ts";
import { arrayAt, countAt, isObject, type JsonObject, objectAt, stringAt } from "../../base/json.ts";
import { abortFailure } from "../abort.ts";
import { answersAt, type Destination } from "./connect.ts";
import { failureError, thrownFailure } from "./failure.ts";
import { requestFetch } from "./transport.ts";

/** A server and the key for it. */
export type OllamaServer = Destination;

/** These questions are answered from memory, also while a model loads; a server that says nothing for so long is not there. */
const QUESTION_TIMEOUT_MS = 30_000;

export interface ModelDetails {
  /** `undefined`: the server does not say (before 0.6.4). */
  readonly capabilities: readonly string[] | undefined;
  /** The most the model was made for. */
  readonly contextLength: number | undefined;
  /** `num_ctx` of its Modelfile: what its maker wants it to be loaded with. */
  readonly modelfileContext: number | undefined;
  /** Runs elsewhere: its window is not ours to choose. */
  readonly remote: boolean;
}

/** Names of the models, as `ollama list` shows them. Rejects with `AppError`, as everything here does. */
export async function listModels(server: OllamaServer, signal: AbortSignal): Promise<readonly string[]> {
  const reply = await ask(server, { model: "", signal }, (client) => client.list());
  // A server without models may say null for their list, but says so in an object.
  if (!isObject(reply) || !(reply["models"] === null || Array.isArray(reply["models"])))
    throw notOllama(server);
  return rowsOf(reply).flatMap((row) => nameOf(row) ?? []);
}

/** Whether a server is there, whatever it says, before the signal: then it rejects with its reason. */
export async function serverAnswers(server: OllamaServer, signal: AbortSignal): Promise<boolean> {
  const asked = { host: server.host.url, model: "" };
  return await answersAt(new URL(`${server.host.url}/api/tags`), { ...server, asked, init: { signal } });
}

/** Models in memory and the window that each was loaded with. */
export async function loadedContexts(
  server: OllamaServer,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number | undefined>> {
  const reply = await ask(server, { model: "", signal }, (client) => client.ps());
  return new Map(
    rowsOf(reply).flatMap((row) => {
      const name = nameOf(row);
      return name === undefined ? [] : [[name, countAt(row, "context_length")] as const];
    }),
  );
}

/** What a model can do. `notFound` if the server does not have it. */
export async function showModel(
  server: OllamaServer,
  model: string,
  signal: AbortSignal,
): Promise<ModelDetails> {
  const shown = await ask(server, { model, signal }, (client) => client.show({ model }));
  const reply = isObject(shown) ? shown : {};
  const info = objectAt(reply, "model_info") ?? {};
  const architecture = stringAt(info, "general.architecture") ?? "";
  return {
    capabilities: arrayAt(reply, "capabilities")?.filter((capability) => typeof capability === "string"),
    contextLength: countAt(info, `${architecture}.context_length`),
    modelfileContext: parameterOf(stringAt(reply, "parameters") ?? "", "num_ctx"),
    remote: isRemote(server, model) || stringAt(reply, "remote_host") !== undefined,
  };
}

/** A number of `/api/show`'s `parameters`: a text with a name and a value on each line. */
function parameterOf(parameters: string, name: string): number | undefined {
  const line = parameters.split("\n").find((each) => each.split(/\s+/)[0] === name);
  const value = Number(line?.trim().split(/\s+/)[1]);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** `0.32.0`. */
export async function serverVersion(server: OllamaServer, signal: AbortSignal): Promise<string> {
  const reply: unknown = await ask(server, { model: "", signal }, (client) => client.version());
  const version = isObject(reply) ? stringAt(reply, "version") : undefined;
  if (version !== undefined) return version;
  throw notOllama(server);
}

function notOllama(server: OllamaServer): AppError {
  return new AppError("unavailable", `${server.host.url} answers, but not as an Ollama server does`, {
    hint: "Set --host or OLLAMA_HOST.",
  });
}

function isRemote(server: OllamaServer, model: string): boolean {
  return server.host.cloud || /[:-]cloud$/.test(model);
}

/** No model's name is empty or has control characters, which would make two lines of one in a list. */
function nameOf(row: JsonObject): string | undefined {
  const name = stringAt(row, "name") ?? stringAt(row, "model");
  return name === undefined || name === "" || /\p{Cc}/u.test(name) ? undefined : name;
}

function rowsOf(reply: unknown): readonly JsonObject[] {
  return isObject(reply) ? (arrayAt(reply, "models") ?? []).filter(isObject) : [];
}

async function ask(
  server: OllamaServer,
  about: { readonly model: string; readonly signal: AbortSignal },
  question: (client: Ollama) => Promise<unknown>,
): Promise<unknown> {
  const { model, signal } = about;
  const timeout = AbortSignal.timeout(QUESTION_TIMEOUT_MS);
  const fetch = requestFetch({
    ...server,
    model,
    signal: AbortSignal.any([signal, timeout]),
    streaming: false,
  });
  try {
    return await question(new Ollama({ host: server.host.url, fetch }));
  } catch (error) {
    if (signal.aborted) throw failureError(abortFailure(signal));
    if (timeout.aborted) {
      const seconds = QUESTION_TIMEOUT_MS / 1000;
      throw new AppError(
        "unavailable",
        `The server at ${server.host.url} did not answer within ${seconds} s`,
      );
    }
    if (error instanceof SyntaxError) throw notOllama(server);
    throw failureError(thrownFailure(error, { host: server.host.url, model }));
  }
}
