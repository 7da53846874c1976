// Answers for the fake Ollama server: what it streams, in which pieces, after which delays, and how it ends.

import { readFileSync } from "node:fs";

/** `end`: properly. `cut`: the connection closes without the end of the body. `reset`: RST. `open`: never. */
export type Ending = "end" | "cut" | "reset" | "open";

export interface FakeAnswer {
  /** Default 200; 0: the connection is reset before the status line. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** One NDJSON line each; a string is sent as it is, without a newline of ours. */
  readonly lines: readonly (object | string)[];
  /** Before the headers. */
  readonly headDelayMs?: number;
  /** Before each line, the first too, and before an ending that is given. */
  readonly lineDelayMs?: number;
  /** Sizes of the writes in bytes, the last one repeated; left out: one write a line. */
  readonly cuts?: readonly number[];
  readonly ending?: Ending;
}

type AnswerOptions = Omit<FakeAnswer, "lines">;

const CREATED = "2026-01-01T00:00:00Z";

/** One line of a streaming answer. */
export function chunk(message: object): object {
  return {
    model: "fake",
    created_at: CREATED,
    message: { role: "assistant", content: "", ...message },
    done: false,
  };
}

/** The last line. `extra` replaces members: `{ done_reason: "length" }`, `{ prompt_eval_count: 2050 }`. */
export function doneChunk(extra: object = {}): object {
  return {
    model: "fake",
    created_at: CREATED,
    message: { role: "assistant", content: "" },
    done: true,
    done_reason: "stop",
    total_duration: 1_000_000,
    prompt_eval_count: 20,
    eval_count: 10,
    ...extra,
  };
}

/** A whole answer of these chunks, ended by a `done` line. */
export function answerOf(messages: readonly object[], options: AnswerOptions = {}): FakeAnswer {
  return { ...options, lines: [...messages.map(chunk), doneChunk()] };
}

/** Text, one line for each piece. */
export function textAnswer(...pieces: readonly string[]): FakeAnswer {
  return answerOf(pieces.map((content) => ({ content })));
}

export function thinkingAnswer(thinking: string, text: string): FakeAnswer {
  return answerOf([{ thinking }, { content: text }]);
}

/** Tool calls, all in one line, as newer servers send them. */
export function toolAnswer(
  ...calls: readonly { readonly name: string; readonly arguments: unknown }[]
): FakeAnswer {
  return answerOf([
    {
      tool_calls: calls.map((call) => ({
        function: { index: 0, name: call.name, arguments: call.arguments },
      })),
    },
  ]);
}

/** An HTTP error as the server words it. */
export function errorAnswer(
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): FakeAnswer {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    lines: [JSON.stringify({ error })],
  };
}

/** The lines of a recorded answer (NDJSON as the server sent it). */
export function recordedAnswer(path: string, options: AnswerOptions = {}): FakeAnswer {
  const lines = readFileSync(path, "utf8").split(/(?<=\n)/);
  return { ...options, lines };
}
