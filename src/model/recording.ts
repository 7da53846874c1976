// The format of recordings (docs/replay.md): JSON Lines, one stream event a line, answers one after another. What a
// model streamed is written as it came, except that a block's number and the final message, which follow from the
// lines before, are left out.

import { AppError } from "../base/errors.ts";
import type { AssistantMessage } from "./messages.ts";
import type { ModelEvent, ModelInfo } from "./model.ts";
import { decodeRecordingLine, type RecordedEnd, type RecordedPiece } from "./recording-line.ts";

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

/** One event as a line with its newline. `texts` are the numbers of the blocks that were streamed as text before it. */
export function renderRecordedEvent(event: ModelEvent, texts: ReadonlySet<number>): string {
  return `${JSON.stringify(recordedForm(event, texts))}\n`;
}

/** The end of an answer whose reader left in the middle. */
export function renderInterruption(): string {
  return `${JSON.stringify({ type: "error", stopReason: "aborted" })}\n`;
}

function recordedForm(event: ModelEvent, texts: ReadonlySet<number>): object {
  switch (event.type) {
    case "start":
      return { type: "start" };
    case "text_delta": {
      const { contentIndex, delta } = event;
      const newBlock = !texts.has(contentIndex) && texts.has(contentIndex - 1);
      return { type: event.type, delta, ...(newBlock ? { newBlock } : {}) };
    }
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
        ...thoughtsOf(event.message, texts),
        ...(event.notices === undefined ? {} : { notices: event.notices }),
      };
    }
    case "error": {
      const { stopReason } = event.message;
      return {
        type: "error",
        stopReason,
        failure: event.failure,
        ...thoughtsOf(event.message, texts),
      };
    }
  }
}

/** Text that turned out to have been thinking: no event says so, only the message. */
function thoughtsOf(message: AssistantMessage, texts: ReadonlySet<number>): object {
  const last = message.content.findLastIndex((block, index) => block.type === "thinking" && texts.has(index));
  return last < 0 ? {} : { thinkingUntil: last };
}

/**
 * Reads a recording. A torn line is accepted where a recording was cut off: at the end, or before the next answer's
 * `start`. Throws `AppError` (`input`), naming file and line, for anything else that is not of the format.
 */
export function parseRecording(text: string, name: string): Recording {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  let info: Partial<ModelInfo> = {};
  const answers: RecordedAnswer[] = [];
  let pieces: RecordedPiece[] | undefined;
  const add = (more: readonly RecordedPiece[]) => {
    pieces ??= [];
    pieces.push(...more);
  };
  const close = (end: RecordedEnd) => {
    answers.push({ pieces: pieces ?? [], end });
    pieces = undefined;
  };
  for (const [index, line] of lines.entries()) {
    const at = index + 1;
    if (line.trim() === "" || (index === 0 && line === "\ufeff")) continue;
    const decoded = decodeRecordingLine(line);
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
        add(decoded.pieces);
        break;
      default:
        add([decoded]);
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
