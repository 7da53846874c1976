// Records what a model streams, in the format that replay reads. Every event is one appended line, written before it is
// passed on, so that a killed run leaves a recording whose whole lines are good.

import { Buffer } from "node:buffer";
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { AppError, messageOf } from "../base/errors.ts";
import type { AssistantMessage } from "./messages.ts";
import type { Model, ModelEvent, ModelInfo } from "./model.ts";
import { renderRecordedEvent, renderRecordingHead } from "./recording.ts";

/**
 * The same model, recorded to `path`, which is created at once and appended to. Throws `AppError` (`failed`) if it
 * cannot be written. A later write error ends the stream with an `error` event (`failed`); nothing is lost in silence.
 */
export function recordedModel(model: Model, path: string): Model {
  appendLines(path, "");
  let headWritten = false;
  let info: ModelInfo | undefined;
  return {
    provider: model.provider,
    id: model.id,
    async info(signal) {
      info = await model.info(signal);
      return info;
    },
    async *stream(request, signal) {
      const head = headWritten ? "" : renderRecordingHead(model, info);
      headWritten = true;
      yield* recordStream(model.stream(request, signal), { path, head });
    },
  };
}

async function* recordStream(
  events: AsyncGenerator<ModelEvent, void>,
  to: { readonly path: string; readonly head: string },
): AsyncGenerator<ModelEvent, void> {
  let head = to.head;
  let ended = false;
  try {
    for await (const event of events) {
      const failure = tryAppend(to.path, head + renderRecordedEvent(event));
      head = "";
      ended = event.type === "done" || event.type === "error";
      if (failure === undefined) {
        yield event;
        continue;
      }
      ended = true;
      yield writeFailure(failure, event);
      return;
    }
  } finally {
    // The reader left in the middle, as a rule's interrupt does: the recording says so.
    if (!ended) tryAppend(to.path, `${JSON.stringify({ type: "error", stopReason: "aborted" })}\n`);
  }
}

function writeFailure(error: AppError, event: ModelEvent): ModelEvent {
  const message: AssistantMessage =
    event.type === "done" || event.type === "error"
      ? { ...event.message, stopReason: "error", errorMessage: error.message }
      : {
          role: "assistant",
          content: [],
          api: "record",
          provider: "record",
          model: "record",
          usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
          stopReason: "error",
          errorMessage: error.message,
          timestamp: Date.now(),
        };
  return { type: "error", message, failure: { kind: "failed", message: error.message, retryable: false } };
}

function tryAppend(path: string, text: string): AppError | undefined {
  try {
    appendLines(path, text);
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error : new AppError("failed", messageOf(error), { cause: error });
  }
}

/** Appends in one write; after a torn line, on a line of its own. */
function appendLines(path: string, text: string): void {
  try {
    const fd = openSync(path, "a+", 0o600);
    try {
      const bytes = Buffer.from(text === "" || endsWithNewline(fd) ? text : `\n${text}`);
      for (let offset = 0; offset < bytes.length; ) offset += writeSync(fd, bytes, offset);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw new AppError("failed", `Cannot record to "${path}": ${messageOf(error)}`, { cause: error });
  }
}

function endsWithNewline(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}
