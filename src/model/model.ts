// The one interface to a language model: a request and a signal give a stream of events.

import type { ErrorKind } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import type { AssistantMessage, ModelMessage, ToolCallBlock } from "./messages.ts";

export type ThinkingLevel = "off" | "on" | "low" | "medium" | "high";

/** A tool as the model sees it. `parameters` is a JSON Schema of type `object`. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

export interface ModelOptions {
  /** Left out: the model's own default. */
  readonly think?: ThinkingLevel;
  /** Most tokens that the answer may have. */
  readonly maxTokens?: number;
  /** JSON Schema that the answer must follow. */
  readonly format?: JsonObject;
}

export interface ModelRequest {
  readonly systemPrompt: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  readonly options: ModelOptions;
}

/** Why a stream failed. `kind` is `unavailable` exactly if trying again can help. */
export interface ModelFailure {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint?: string;
  readonly retryable: boolean;
  /** Milliseconds that the server asked us to wait. */
  readonly retryAfterMs?: number;
  /**
   * `badToolCall`: the model wrote a call that the server could not parse; the same request would fail again.
   * `contextOverflow`: the prompt does not fit the window.
   */
  readonly reason?: "badToolCall" | "contextOverflow";
}

/**
 * One event of a stream. Content blocks are numbered from 0 by `contentIndex`, in the order in which they began, as in
 * the final message's `content`. `toolcall_delta` carries pieces of the arguments' JSON text; a server that sends calls
 * whole gives one delta. `done` carries the whole message (`stopReason` `stop`, `length` or `toolUse`); `error` carries
 * what was received until then (`stopReason` `error` or `aborted`).
 *
 * A text block may turn out to have been thinking (some models end their thinking by a lone `</think>`): it was
 * streamed as text, and the final message has it as `thinking` under the same number. `start` is the first event of
 * every stream.
 */
export type ModelEvent =
  | { readonly type: "start" }
  | { readonly type: "text_delta"; readonly contentIndex: number; readonly delta: string }
  | { readonly type: "thinking_delta"; readonly contentIndex: number; readonly delta: string }
  | {
      readonly type: "toolcall_start";
      readonly contentIndex: number;
      readonly id: string;
      readonly name: string;
    }
  | { readonly type: "toolcall_delta"; readonly contentIndex: number; readonly delta: string }
  | { readonly type: "toolcall_end"; readonly contentIndex: number; readonly toolCall: ToolCallBlock }
  | { readonly type: "done"; readonly message: AssistantMessage; readonly notices?: readonly string[] }
  | { readonly type: "error"; readonly message: AssistantMessage; readonly failure: ModelFailure };

/** What is known of a model before it is asked. */
export interface ModelInfo {
  /** Tokens that a request and its answer may have together, as they will be asked for; undefined if unknown. */
  readonly contextWindow: number | undefined;
  readonly tools: boolean;
  readonly vision: boolean;
  readonly thinking: boolean;
}

export interface Model {
  /** `ollama`, `replay`. */
  readonly provider: string;
  readonly id: string;
  /**
   * Asks once and remembers; the window may turn out smaller once the server has loaded the model. Rejects with an
   * `AppError` (`notFound`, `unavailable`, …).
   */
  info(signal: AbortSignal): Promise<ModelInfo>;
  /**
   * Never throws: a failure is one final `error` event. Ends with exactly one `done` or `error`. Aborting the signal
   * closes the connection and ends the stream with `error` (`stopReason: "aborted"`), also before the first byte.
   * Leaving the loop early closes the connection too.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void>;
}
