// Decodes the lines of recordings (docs/replay.md), one by one. A line that is wrong is told in words, never thrown.

import type { ErrorKind } from "../base/errors.ts";
import {
  booleanAt,
  isObject,
  type JsonObject,
  numberAt,
  objectAt,
  parseJson,
  stringAt,
} from "../base/json.ts";
import { NO_USAGE, type StopReason, type Usage } from "./messages.ts";
import type { ModelFailure, ModelInfo } from "./model.ts";

/**
 * A line between the beginning and the end of an answer. `delayMs` is waited before it. `newBlock`: text that is not one
 * with the text before, which turned out to have been thinking.
 */
export type RecordedPiece = { readonly delayMs?: number } & (
  | { readonly type: "text_delta"; readonly delta: string; readonly newBlock?: boolean }
  | { readonly type: "thinking_delta" | "toolcall_delta"; readonly delta: string }
  | { readonly type: "toolcall_start"; readonly id?: string; readonly name: string }
  /** Without `arguments`, they are the JSON of the deltas. */
  | { readonly type: "toolcall_end"; readonly arguments?: JsonObject }
);

/**
 * How an answer ended. `torn`: the recording stops in the middle of it. `thinkingUntil`: text up to the block of this
 * number turned out to have been thinking.
 */
export type RecordedEnd =
  | {
      readonly type: "done";
      readonly stopReason?: StopReason;
      readonly usage: Usage;
      readonly notices: readonly string[];
      readonly thinkingUntil?: number;
      readonly delayMs?: number;
    }
  | {
      readonly type: "error";
      readonly aborted: boolean;
      readonly failure: ModelFailure;
      readonly thinkingUntil?: number;
      readonly delayMs?: number;
    }
  | { readonly type: "torn"; readonly line: number };

/** What one line says. */
export type DecodedLine =
  | RecordedPiece
  | Exclude<RecordedEnd, { readonly type: "torn" }>
  | { readonly type: "start" }
  | { readonly type: "recording"; readonly info: Partial<ModelInfo> }
  | { readonly type: "toolcall"; readonly pieces: readonly RecordedPiece[] };

/** A line, or what is wrong with it. */
export function decodeRecordingLine(line: string): DecodedLine | string {
  const value = parseJson(line.replace(/^\ufeff/, ""));
  if (value === undefined) return "is not JSON";
  if (!isObject(value)) return "is not a JSON object";
  const delay = numberAt(value, "delayMs");
  const delayMs = delay === undefined ? {} : { delayMs: delay };
  const type = stringAt(value, "type");
  switch (type) {
    case "recording":
      return { type, info: decodeInfo(objectAt(value, "info") ?? {}) };
    case "start":
      return { type };
    case "text_delta":
    case "thinking_delta":
    case "toolcall_delta": {
      const delta = stringAt(value, "delta");
      if (delta === undefined) return `("${type}") has no "delta"`;
      return { type, delta, ...(value["newBlock"] === true ? { newBlock: true } : {}), ...delayMs };
    }
    case "toolcall_start": {
      const name = stringAt(value, "name");
      const id = stringAt(value, "id");
      if (name === undefined) return `("${type}") has no "name"`;
      return { type, name, ...(id === undefined ? {} : { id }), ...delayMs };
    }
    case "toolcall_end": {
      const given = objectAt(value, "arguments");
      return { type, ...(given === undefined ? {} : { arguments: given }), ...delayMs };
    }
    case "toolcall":
      return decodeWholeCall(value, delayMs);
    case "done":
    case "error":
      return {
        ...(type === "done" ? decodeDone(value) : decodeError(value)),
        ...decodeThoughts(value),
        ...delayMs,
      };
    default:
      return type === undefined ? 'has no "type"' : `has the unknown type "${type}"`;
  }
}

/** For recordings written by hand: a call in one line. */
function decodeWholeCall(value: JsonObject, delayMs: { readonly delayMs?: number }): DecodedLine | string {
  const name = stringAt(value, "name");
  const id = stringAt(value, "id");
  if (name === undefined) return '("toolcall") has no "name"';
  const given = objectAt(value, "arguments") ?? {};
  const start: RecordedPiece = {
    type: "toolcall_start",
    name,
    ...(id === undefined ? {} : { id }),
    ...delayMs,
  };
  const delta: RecordedPiece = { type: "toolcall_delta", delta: JSON.stringify(given) };
  return { type: "toolcall", pieces: [start, delta, { type: "toolcall_end", arguments: given }] };
}

function decodeInfo(value: JsonObject): Partial<ModelInfo> {
  const contextWindow = numberAt(value, "contextWindow");
  const flag = (key: "tools" | "vision" | "thinking") => {
    const given = booleanAt(value, key);
    return given === undefined ? {} : { [key]: given };
  };
  return {
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...flag("tools"),
    ...flag("vision"),
    ...flag("thinking"),
  };
}

function decodeThoughts(value: JsonObject): { readonly thinkingUntil?: number } {
  const thinkingUntil = numberAt(value, "thinkingUntil");
  return thinkingUntil === undefined ? {} : { thinkingUntil };
}

const STOP_REASONS: readonly StopReason[] = ["stop", "length", "toolUse"];

function decodeDone(value: JsonObject): Extract<RecordedEnd, { readonly type: "done" }> {
  const stopReason = STOP_REASONS.find((reason) => reason === value["stopReason"]);
  const notices = value["notices"];
  return {
    type: "done",
    ...(stopReason === undefined ? {} : { stopReason }),
    usage: decodeUsage(objectAt(value, "usage") ?? {}),
    notices: Array.isArray(notices) ? notices.filter((notice) => typeof notice === "string") : [],
  };
}

function decodeUsage(value: JsonObject): Usage {
  const input = numberAt(value, "input") ?? 0;
  const output = numberAt(value, "output") ?? 0;
  return { ...NO_USAGE, input, output, totalTokens: numberAt(value, "totalTokens") ?? input + output };
}

const FAILURE_KINDS: readonly ErrorKind[] = [
  "failed",
  "notFound",
  "unavailable",
  "input",
  "settings",
  "cancelled",
  "limit",
];

function decodeError(value: JsonObject): Extract<RecordedEnd, { readonly type: "error" }> {
  const failure = objectAt(value, "failure") ?? {};
  const retryable = booleanAt(failure, "retryable") ?? failure["kind"] === "unavailable";
  const kind =
    FAILURE_KINDS.find((known) => known === failure["kind"]) ?? (retryable ? "unavailable" : "failed");
  const hint = stringAt(failure, "hint");
  const retryAfterMs = numberAt(failure, "retryAfterMs");
  const reason = stringAt(failure, "reason");
  return {
    type: "error",
    aborted: value["stopReason"] === "aborted",
    failure: {
      kind,
      message: stringAt(failure, "message") ?? "the recorded request failed",
      retryable,
      ...(hint === undefined ? {} : { hint }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(reason === "badToolCall" || reason === "contextOverflow" ? { reason } : {}),
    },
  };
}
