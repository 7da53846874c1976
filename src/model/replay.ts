// A model that answers from a recording: one answer a request, with the recorded pieces. Exact and offline; the same
// file gives the same events.

import { basename } from "node:path";
import { isObject, type JsonObject, parseJson } from "../base/json.ts";
import { readNamedFile } from "../base/named-file.ts";
import { sleep } from "../base/timer.ts";
import { abortFailure } from "./abort.ts";
import { type AnswerBuilder, answerBuilder } from "./answer.ts";
import { NO_USAGE } from "./messages.ts";
import type { Model, ModelEvent, ModelFailure, ModelInfo } from "./model.ts";
import { parseRecording, type RecordedAnswer } from "./recording.ts";
import type { RecordedEnd, RecordedPiece } from "./recording-line.ts";

const DEFAULT_INFO: ModelInfo = { contextWindow: undefined, tools: true, vision: true, thinking: true };

/**
 * Opens a recording. Rejects with `AppError`: `notFound` if there is no such file, `input` if it is not a recording
 * (with file and line); with the signal's reason while it waits for a pipe. A request after the last recorded answer
 * fails with kind `input`.
 */
export async function replayModel(path: string, signal: AbortSignal): Promise<Model> {
  const request = { cannot: `Cannot replay "${path}"`, kind: "input", signal } as const;
  const recording = parseRecording(await readNamedFile(path, request), path);
  const id = basename(path);
  let next = 0;
  return {
    provider: "replay",
    id,
    info: () => Promise.resolve({ ...DEFAULT_INFO, ...recording.info }),
    async *stream(_request, signal) {
      const turn = next++;
      yield { type: "start" };
      const build = answerBuilder({ api: "replay", provider: "replay", model: id });
      const answer = recording.answers[turn];
      if (answer === undefined) {
        yield* build.error({
          failure: exhausted(id, recording.answers.length),
          aborted: false,
          usage: NO_USAGE,
        });
        return;
      }
      yield* playAnswer(answer, { build, signal, turn, name: id });
    },
  };
}

interface Playing {
  readonly build: AnswerBuilder;
  readonly signal: AbortSignal;
  /** From 0. */
  readonly turn: number;
  readonly name: string;
}

async function* playAnswer(answer: RecordedAnswer, playing: Playing): AsyncGenerator<ModelEvent, void> {
  const { build, signal } = playing;
  const play = pieceEvents(playing);
  for (const piece of answer.pieces) {
    await pauseBefore(piece.delayMs, signal);
    if (signal.aborted) break;
    yield* play(piece);
  }
  if (!signal.aborted && answer.end.type !== "torn") await pauseBefore(answer.end.delayMs, signal);
  if (signal.aborted) {
    yield* build.error({ failure: abortFailure(signal), aborted: true, usage: NO_USAGE });
    return;
  }
  yield* endEvents(answer.end, playing);
}

/** A turn of the event loop at least, so that signals are seen between two pieces, as with a server. */
function pauseBefore(ms: number | undefined, signal: AbortSignal): Promise<void> {
  return ms === undefined ? new Promise((resolve) => setImmediate(resolve)) : sleep(ms, signal);
}

function pieceEvents({ build, turn }: Playing): (piece: RecordedPiece) => readonly ModelEvent[] {
  let call = { id: "", name: "", json: "" };
  let calls = 0;
  return (piece) => {
    switch (piece.type) {
      case "text_delta":
        return build.text(piece.delta, piece.newBlock);
      case "thinking_delta":
        return build.thinking(piece.delta);
      case "toolcall_start":
        calls += 1;
        call = { id: piece.id ?? `call_${turn + 1}_${calls}`, name: piece.name, json: "" };
        return build.toolCallStart(call.id, call.name);
      case "toolcall_delta":
        call.json += piece.delta;
        return build.toolCallDelta(piece.delta);
      case "toolcall_end":
        return build.toolCallEnd({
          type: "toolCall",
          id: call.id,
          name: call.name,
          arguments: piece.arguments ?? argumentsOf(call.json),
        });
    }
  };
}

function argumentsOf(json: string): JsonObject {
  const value = parseJson(json);
  return isObject(value) ? value : {};
}

function endEvents(end: RecordedEnd, playing: Playing): readonly ModelEvent[] {
  const { thinkingUntil } = end.type === "torn" ? {} : end;
  const ended = thinkingUntil === undefined ? [] : playing.build.textWasThinking(thinkingUntil);
  return [...ended, ...lastEvents(end, playing)];
}

function lastEvents(end: RecordedEnd, { build, name, turn }: Playing): readonly ModelEvent[] {
  switch (end.type) {
    case "done": {
      const stopReason = end.stopReason ?? (build.hasToolCalls() ? "toolUse" : "stop");
      return build.done({ stopReason, usage: end.usage, notices: end.notices });
    }
    case "error":
      return end.aborted
        ? build.error({ failure: cutShort(name, turn), aborted: false, usage: NO_USAGE })
        : build.error({ failure: end.failure, aborted: false, usage: NO_USAGE });
    case "torn":
      return build.error({ failure: torn(name, turn, end.line), aborted: false, usage: NO_USAGE });
  }
}

function exhausted(name: string, answers: number): ModelFailure {
  return {
    kind: "input",
    message: `Cannot replay "${name}": it holds ${answers} ${answers === 1 ? "answer" : "answers"}, and one more was asked for`,
    hint: "The run differs from the one that was recorded; record it again with --record.",
    retryable: false,
  };
}

/** The recorded run interrupted this answer (a rule, a signal); this run did not. */
function cutShort(name: string, turn: number): ModelFailure {
  return {
    kind: "input",
    message: `Cannot replay "${name}": answer ${turn + 1} was interrupted where it was recorded, and this run goes on`,
    hint: "The rules differ from those of the recorded run; record it again with --record.",
    retryable: false,
  };
}

function torn(name: string, turn: number, line: number): ModelFailure {
  return {
    kind: "input",
    message: `Cannot replay "${name}": answer ${turn + 1} is cut off at line ${line}`,
    hint: "The recording run ended in the middle of it; record it again with --record.",
    retryable: false,
  };
}
