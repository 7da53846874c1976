// Records what a model streams, in the format that replay reads. Every event is one appended line, written before it is
// passed on, so that a killed run leaves a recording whose whole lines are good.

import { Buffer } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { AppError } from "../base/errors.ts";
import { realPath } from "../base/stat.ts";
import { reasonOf } from "../base/system-error.ts";
import { type AnswerBuilder, answerBuilder } from "./answer.ts";
import { NO_USAGE } from "./messages.ts";
import type { Model, ModelEvent, ModelInfo } from "./model.ts";
import { renderInterruption, renderRecordedEvent, renderRecordingHead } from "./recording.ts";

/**
 * The same model, recorded to `path`, which is created at once and appended to. Throws `AppError` (`failed`) if it
 * cannot be written. A later write error ends the stream with an `error` event (`failed`); nothing is lost in silence.
 */
export function recordedModel(model: Model, path: string): Model {
  appendLines(path, "");
  const file = { path, real: realPath(path) };
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
      const { provider, id } = model;
      const build = answerBuilder({ api: provider, provider, model: id });
      yield* recordStream(model.stream(request, signal), { file, head, build });
    },
  };
}

/** `real` is where `path` led when the recording began; undefined for what has no name, as a pipe. */
interface RecordFile {
  readonly path: string;
  readonly real: string | undefined;
}

interface Recorder {
  readonly file: RecordFile;
  /** Goes before the first line. */
  readonly head: string;
  /** Keeps what was passed on, for the message of a write error. */
  readonly build: AnswerBuilder;
}

async function* recordStream(
  events: AsyncGenerator<ModelEvent, void>,
  { file, head, build }: Recorder,
): AsyncGenerator<ModelEvent, void> {
  let before = head;
  const texts = new Set<number>();
  let ended = false;
  try {
    for await (const event of events) {
      ended = event.type === "done" || event.type === "error";
      const problem = tryAppend(file, before + renderRecordedEvent(event, texts));
      if (event.type === "text_delta") texts.add(event.contentIndex);
      before = "";
      if (problem !== undefined) {
        ended = true;
        const failure = { kind: problem.kind, message: problem.message, retryable: false };
        yield* build.error({ failure, aborted: false, usage: NO_USAGE });
        return;
      }
      follow(build, event);
      yield event;
    }
  } finally {
    // The reader left in the middle, as a rule's interrupt does: the recording says so.
    if (!ended) tryAppend(file, renderInterruption());
  }
}

function follow(build: AnswerBuilder, event: ModelEvent): void {
  if (event.type === "text_delta") build.text(event.delta);
  if (event.type === "thinking_delta") build.thinking(event.delta);
  if (event.type === "toolcall_end") build.toolCallEnd(event.toolCall);
}

function tryAppend({ path, real }: RecordFile, text: string): AppError | undefined {
  try {
    appendLines(path, text, real);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;

/**
 * Appends in one write; after a torn line, on a line of its own. A tool of the run may put a link in the place of `real`
 * meanwhile, which is not followed.
 */
function appendLines(path: string, text: string, real?: string): void {
  try {
    const flags = O_RDWR | O_APPEND | O_CREAT | (real === undefined ? 0 : (O_NOFOLLOW ?? 0));
    const fd = openSync(real ?? path, flags, 0o600);
    try {
      const bytes = Buffer.from(text === "" || endsWithNewline(fd) ? text : `\n${text}`);
      for (let offset = 0; offset < bytes.length; ) offset += writeSync(fd, bytes, offset);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw new AppError("failed", `Cannot record to "${path}": ${reasonOf(error)}`, { cause: error });
  }
}

function endsWithNewline(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}
