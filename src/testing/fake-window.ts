// The context window of the fake server: what a real one does with a prompt that is too long. Tokens are counted as
// `ceil(UTF-8 bytes / 4)` of the messages' JSON.

import { Buffer } from "node:buffer";
import { isObject, type JsonObject } from "../base/json.ts";
import { errorAnswer, type FakeAnswer } from "./fake-answers.ts";

export interface FakeWindow {
  /** The window when the request asks for none. */
  readonly defaultContext: number;
  /** The server never gives more than this, whatever is asked for. */
  readonly maxContext?: number;
  /** An old server: `truncate: false` is not known, so the prompt is cut in silence. */
  readonly ignoresTruncate?: boolean;
}

export interface WindowVerdict {
  /** The refusal, if the request is refused. */
  readonly answer?: FakeAnswer;
  /** What `prompt_eval_count` says: less than was sent, if the prompt was cut. */
  readonly promptTokens?: number;
}

/** The window that a request is given. */
export function contextOf(body: JsonObject, window: FakeWindow): number {
  const options = body["options"];
  const asked = isObject(options) ? options["num_ctx"] : undefined;
  const wanted = typeof asked === "number" ? asked : window.defaultContext;
  return Math.min(wanted, window.maxContext ?? wanted);
}

/** Whether a chat request fits, and what the server says if it does not. */
export function enforceWindow(body: JsonObject, window: FakeWindow): WindowVerdict {
  const context = contextOf(body, window);
  const tokens = Math.ceil(Buffer.byteLength(JSON.stringify(body["messages"] ?? [])) / 4);
  if (tokens <= context) return { promptTokens: tokens };
  if (body["truncate"] === false && window.ignoresTruncate !== true) {
    return { answer: overflowAnswer(tokens, context) };
  }
  return { promptTokens: cutPromptTokens(context) };
}

/** What is left of a prompt that is cut in its middle: `num_ctx - max((num_ctx - keep) / 2, 1)`, `keep` being 4. */
function cutPromptTokens(context: number): number {
  return context - Math.max(Math.floor((context - 4) / 2), 1);
}

/** The refusal as servers word it: JSON inside the `error` string. */
function overflowAnswer(tokens: number, context: number): FakeAnswer {
  const inner = {
    error: {
      code: 400,
      message: `request (${tokens} tokens) exceeds the available context size (${context} tokens), try increasing it`,
      type: "exceed_context_size_error",
      n_prompt_tokens: tokens,
      n_ctx: context,
    },
  };
  return errorAnswer(400, JSON.stringify(inner));
}
