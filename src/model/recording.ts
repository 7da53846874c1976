// The format of recordings (docs/replay.md): JSON Lines, one stream event a line, answers one after another. What a
// model streamed is written as it came, except that a block's number and the final message, which follow from the
// lines before, are left out.

import { AppError, type ErrorKind } from "../base/errors.ts";
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
import type { ModelEvent, ModelFailure, ModelInfo } from "./model.ts";

/** A line between the beginning and the end of an answer. `delayMs` is waited before it. */
export type RecordedPiece = { readonly delayMs?: number } & (
  | { readonly type: "text_delta" | "thinking_delta" | "toolcall_delta"; readonly delta: string }
  | { readonly type: "toolcall_start"; readonly id?: string; readonly name: string }
  /** Without `arguments`, they are the JSON of the deltas. */
  | { readonly type: "toolcall_end"; readonly arguments?: JsonObject }
);

/** How an answer ended. `torn`: the recording stops in the middle of it. */
export type RecordedEnd =
  | {
      readonly type: "done";
      readonly stopReason?: StopReason;
      readonly usage: Usage;
      readonly notices: readonly string[];
      readonly delayMs?: number;
    }
  | {
      readonly type: "error";
      readonly aborted: boolean;
      readonly failure: ModelFailure;
      readonly delayMs?: number;
    }
  | { readonly type: "torn"; readonly line: number };

export interface RecordedAnswer {
  readonly pieces: readonly RecordedPiece[];
  readonly end: RecordedEnd;
}

export interface Recording {
  /** Of the first `recording` line that has it. */
  readonly info: Partial<ModelInfo>;
  readonly answers: readonly RecordedAnswer[];
}

/** The first line of what a run records. */
export function renderRecordingHead(
  model: { readonly provider: string; readonly id: string },
  info: ModelInfo | undefined,
): string {
  const { provider, id } = model;
  return `${JSON.stringify({ type: "recording", v: 1, provider, model: id, ...(info === undefined ? {} : { info }) })}\n`;
}

/** One event as a line with its newline. */
export function renderRecordedEvent(event: ModelEvent): string {
  return `${JSON.stringify(recordedForm(event))}\n`;
}

function recordedForm(event: ModelEvent): object {
  switch (event.type) {
    case "start":
      return { type: "start" };
    case "text_delta":
    case "thinking_delta":
    case "toolcall_delta":
      return { type: event.type, delta: event.delta };
    case "toolcall_start":
      return { type: event.type, id: event.id, name: event.name };
    case "toolcall_end":
      return { type: event.type, arguments: event.toolCall.arguments };
    case "done": {
      const { stopReason, usage } = event.message;
      return {
        type: "done",
        stopReason,
        usage,
        ...(event.notices === undefined ? {} : { notices: event.notices }),
      };
    }
    case "error":
      return { type: "error", stopReason: event.message.stopReason, failure: event.failure };
  }
}

/**
 * Reads a recording. A torn line is accepted where a recording was cut off: at the end, or before the next answer's
 * `start`. Throws `AppError` (`input`), naming file and line, for anything else that is not of the format.
 */
export function parseRecording(text: string, name: string): Recording {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  let info: Partial<ModelInfo> = {};
  const answers: RecordedAnswer[] = [];
  let pieces: readonly RecordedPiece[] | undefined;
  const close = (end: RecordedEnd) => {
    answers.push({ pieces: pieces ?? [], end });
    pieces = undefined;
  };
  for (const [index, line] of lines.entries()) {
    const at = index + 1;
    if (line.trim() === "" || (index === 0 && line === "\ufeff")) continue;
    const decoded = decodeLine(line);
    if (typeof decoded === "string") {
      if (!isCutBefore(lines, index)) throw badLine(name, at, decoded);
      close({ type: "torn", line: at });
      continue;
    }
    switch (decoded.type) {
      case "recording":
      case "start":
        if (pieces !== undefined) close({ type: "torn", line: at });
        if (decoded.type === "recording") info = { ...decoded.info, ...info };
        else pieces = [];
        break;
      case "done":
      case "error":
        close(decoded);
        break;
      case "toolcall":
        pieces = [...(pieces ?? []), ...decoded.pieces];
        break;
      default:
        pieces = [...(pieces ?? []), decoded];
    }
  }
  if (pieces !== undefined) close({ type: "torn", line: lines.length });
  if (answers.length === 0)
    throw new AppError("input", `Cannot replay "${name}": it holds no recorded answer`);
  return { info, answers };
}

function badLine(name: string, line: number, why: string): AppError {
  return new AppError("input", `Cannot replay "${name}": line ${line} ${why}`, {
    hint: "A recording is made by --record; docs/replay.md describes its lines.",
  });
}

/** Whether nothing follows, or the next answer: what `kill -9` and a later append leave behind. */
function isCutBefore(lines: readonly string[], index: number): boolean {
  const next = lines.slice(index + 1).find((line) => line.trim() !== "");
  if (next === undefined) return index === lines.length - 1;
  return /^\{"type":"(start|recording)"/.test(next);
}

type DecodedLine =
  | RecordedPiece
  | Exclude<RecordedEnd, { readonly type: "torn" }>
  | { readonly type: "start" }
  | { readonly type: "recording"; readonly info: Partial<ModelInfo> }
  | { readonly type: "toolcall"; readonly pieces: readonly RecordedPiece[] };

/** A line, or what is wrong with it. */
function decodeLine(line: string): DecodedLine | string {
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
      return delta === undefined ? `("${type}") has no "delta"` : { type, delta, ...delayMs };
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
      return { ...(type === "done" ? decodeDone(value) : decodeError(value)), ...delayMs };
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
  "sighup",
  "sigint",
  "sigterm",
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
