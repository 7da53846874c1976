// The body of a streaming answer, checked line by line before the client library sees it: that library skips what it
// cannot read and prints about it. What comes out is whole JSON objects only, up to the line that says `done`.

import { Buffer } from "node:buffer";
import { booleanAt, isObject, type JsonObject, numberAt, parseJson, stringAt } from "../../base/json.ts";
import { oneLine } from "../../base/text.ts";
import { type Asked, brokenStream, ModelError, replyFailure } from "./failure.ts";

const NEWLINE = 0x0a;
/** No answer has a longer line; what sends one is not the server that was meant, and is not kept in memory. */
const MOST_LINE_BYTES = 64 * 1024 * 1024;

/**
 * A stream of lines that are JSON objects, each with its newline, one an item. It fails with `ModelError` for an error
 * line, for a line that is no JSON object, and for an end without `done`. After `done` it ends, whatever the server
 * does; the connection is the caller's to close.
 */
export function checkedLines(body: ReadableStream<Uint8Array>, asked: Asked): ReadableStream<Uint8Array> {
  const lines = splitLines(body);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await lines.next();
        if (done) throw new ModelError(brokenStream("it ended before it was complete"));
        const text = new TextDecoder().decode(value);
        if (text.trim() === "") continue;
        const line = decodeLine(text, asked);
        controller.enqueue(new TextEncoder().encode(`${text.trim()}\n`));
        if (booleanAt(line, "done") === true) controller.close();
        return;
      }
    },
  });
}

function decodeLine(text: string, asked: Asked): JsonObject {
  const value = parseJson(text);
  if (!isObject(value)) {
    throw new ModelError(brokenStream(`a line is not a JSON object: ${oneLine(text, 80)}`));
  }
  const error = value["error"];
  if (error === undefined || error === null || error === "") return value;
  throw new ModelError(replyFailure(decodeErrorBody(value, 500, undefined), asked));
}

/** The members of an error object; `status` is used where it names none itself. */
export function decodeErrorBody(
  body: JsonObject,
  status: number,
  retryAfterMs: number | undefined,
): {
  readonly status: number;
  readonly text: string;
  readonly retryAfterMs: number | undefined;
  readonly signinUrl?: string;
} {
  const error = body["error"];
  const signinUrl = stringAt(body, "signin_url");
  return {
    status: numberAt(body, "status_code") ?? numberAt(body, "status") ?? status,
    text: typeof error === "string" ? error : JSON.stringify(error),
    retryAfterMs,
    ...(signinUrl === undefined ? {} : { signinUrl }),
  };
}

/** Lines as bytes, without their newline; the last one too if it has none. */
async function* splitLines(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  let pending: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    let start = 0;
    for (let end = value.indexOf(NEWLINE); end >= 0; end = value.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...pending, value.subarray(start, end)]);
      pending = [];
      size = 0;
      start = end + 1;
    }
    if (start < value.length) pending.push(value.subarray(start));
    size += value.length - start;
    if (size > MOST_LINE_BYTES) throw new ModelError(brokenStream("a line has no end"));
  }
  if (pending.length > 0) yield Buffer.concat(pending);
}
