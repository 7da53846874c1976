// Decodes one line of a streaming chat answer.

import { arrayAt, booleanAt, countAt, isObject, objectAt, stringAt } from "../../base/json.ts";

export interface RawCall {
  readonly id: string | undefined;
  readonly name: string;
  /** As the server gave it: an object, a JSON string of one, or something else. */
  readonly arguments: unknown;
}

export interface Chunk {
  readonly content: string;
  readonly thinking: string;
  readonly toolCalls: readonly RawCall[];
  readonly done: boolean;
  readonly doneReason: string | undefined;
  /** Tokens; a zero count is left out by the server. Never below zero: a limit must not grow by what a server says. */
  readonly promptTokens: number;
  readonly outputTokens: number;
}

/** A chunk of whatever came: what is missing is empty. A `done` line may carry a message like any other. */
export function decodeChunk(value: unknown): Chunk {
  const line = isObject(value) ? value : {};
  const message = objectAt(line, "message") ?? {};
  return {
    content: stringAt(message, "content") ?? "",
    thinking: stringAt(message, "thinking") ?? "",
    toolCalls: (arrayAt(message, "tool_calls") ?? []).flatMap(decodeCall),
    done: booleanAt(line, "done") ?? false,
    doneReason: stringAt(line, "done_reason"),
    promptTokens: countAt(line, "prompt_eval_count") ?? 0,
    outputTokens: countAt(line, "eval_count") ?? 0,
  };
}

function decodeCall(value: unknown): readonly RawCall[] {
  const call = isObject(value) ? objectAt(value, "function") : undefined;
  if (call === undefined || !isObject(value)) return [];
  return [
    { id: stringAt(value, "id"), name: (stringAt(call, "name") ?? "").trim(), arguments: call["arguments"] },
  ];
}
