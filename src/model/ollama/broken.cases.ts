// Answers that break: what came before is kept, the failure says whether trying again can help, and nobody prints.

import { deepEqual, equal } from "node:assert/strict";
import type { Case } from "../../testing/cases.ts";
import { chunk, doneChunk, errorAnswer, type FakeAnswer, textAnswer } from "../../testing/fake-answers.ts";
import { contentOf, eventsOf, summarize } from "../../testing/ollama-fixture.ts";

const PARTIAL = [chunk({ content: "so " }), chunk({ content: "far" })];
const JSON_TYPE = { "content-type": "application/json" };

/** What the server does, and then the events. */
const BROKEN: readonly (readonly [what: string, answer: FakeAnswer, events: readonly string[]])[] = [
  ["a line that is not JSON", { lines: [...PARTIAL, "{oops\n", doneChunk()] }, broke()],
  ["a line that is null", { lines: [...PARTIAL, "null\n", doneChunk()] }, broke()],
  ["a line that is an array", { lines: [...PARTIAL, "[]\n", doneChunk()] }, broke()],
  ["a line that is a number", { lines: [...PARTIAL, "7\n", doneChunk()] }, broke()],
  ["an end without done", { lines: PARTIAL }, broke()],
  ["a half line at the end", { lines: [...PARTIAL, '{"message":{"content":"x"'] }, broke()],
  ["a connection closed in the middle", { lines: PARTIAL, ending: "cut", lineDelayMs: 5 }, broke()],
  ["a connection reset in the middle", { lines: PARTIAL, ending: "reset", lineDelayMs: 5 }, broke()],
  ["an error line", { lines: [...PARTIAL, { error: "unexpected EOF" }] }, broke()],
  ["an error line that is an object", { lines: [...PARTIAL, { error: { message: "no" } }] }, broke()],
  ["an error line with a status", { lines: [...PARTIAL, { error: "slow down", status_code: 429 }] }, broke()],
  [
    "an error line with the status 401",
    { lines: [...PARTIAL, { error: "unauthorized", status_code: 401 }] },
    broke("failed"),
  ],
  [
    "an error line for a broken call",
    { lines: [...PARTIAL, { error: "error parsing tool call: raw='{'" }] },
    broke("badToolCall"),
  ],
  [
    "an error line for a full window",
    { lines: [...PARTIAL, { error: '{"error":{"type":"exceed_context_size_error"}}' }] },
    broke("contextOverflow"),
  ],
  ["an empty body", { lines: [] }, ["error unavailable"]],
  ["nothing but blank lines", { lines: ["\n\n \r\n"] }, ["error unavailable"]],
  [
    "a page of HTML with status 200",
    { headers: { "content-type": "text/html" }, lines: ["<!doctype html>\n<p>hi"] },
    ["error unavailable"],
  ],
  [
    "an error in a body of JSON with status 200",
    { headers: JSON_TYPE, lines: [{ error: "no" }] },
    ["error unavailable"],
  ],
  [
    "a page of HTML with status 502",
    { status: 502, headers: { "content-type": "text/html" }, lines: ["<h1>Bad gateway</h1>"] },
    ["error unavailable"],
  ],
  [
    "text with status 500",
    { status: 500, headers: { "content-type": "text/plain" }, lines: ["oh no"] },
    ["error unavailable"],
  ],
  [
    "JSON that breaks off with status 500",
    { status: 500, headers: JSON_TYPE, lines: ['{"error":'] },
    ["error unavailable"],
  ],
  [
    "no body with status 503",
    { status: 503, headers: { "content-length": "0" }, lines: [] },
    ["error unavailable"],
  ],
  [
    "an error body that is cut",
    { status: 400, headers: JSON_TYPE, lines: ['{"error":"x'], ending: "cut" },
    ["error failed"],
  ],
  [
    "a connection closed before the status",
    { lines: [], ending: "reset", headDelayMs: 0, status: 0 },
    ["error unavailable"],
  ],
];

function broke(end = "unavailable"): readonly string[] {
  return ["text 0 so ", "text 0 far", `error ${end}`];
}

/** Runs with the console watched; gives what was printed. */
async function printedBy(run: () => Promise<void>): Promise<readonly unknown[]> {
  const printed: unknown[] = [];
  const kept = { log: console.log, warn: console.warn, error: console.error, info: console.info };
  const catchAll = (...args: readonly unknown[]) => void printed.push(args);
  Object.assign(console, { log: catchAll, warn: catchAll, error: catchAll, info: catchAll });
  try {
    await run();
  } finally {
    Object.assign(console, kept);
  }
  return printed;
}

export const BROKEN_CASES: readonly Case[] = [
  ...BROKEN.map(([what, answer, expected]) => ({
    name: `ollamaModel() ends with one error after ${what}, and prints nothing`,
    run: async () => {
      let events: readonly string[] = [];
      const printed = await printedBy(async () => {
        events = summarize(await eventsOf(answer));
      });
      deepEqual([events, printed], [expected, []]);
    },
  })),
  {
    name: "ollamaModel() keeps the text of an answer that broke off",
    run: async () => {
      const end = (await eventsOf({ lines: PARTIAL })).at(-1);
      deepEqual(end?.type === "error" && [contentOf([end]), end.message.stopReason, end.failure], [
        ["text so far"],
        "error",
        {
          kind: "unavailable",
          message: "The model's answer broke off: it ended before it was complete",
          retryable: true,
        },
      ]);
    },
  },
  {
    name: "ollamaModel() keeps what it held back when the answer breaks off",
    run: async () => {
      const tools = [{ name: "read", description: "", parameters: { type: "object" } }];
      const events = await eventsOf({ lines: [chunk({ content: '{"name": "re' })] }, { request: { tools } });
      deepEqual(contentOf(events), ['text {"name": "re']);
    },
  },
  {
    name: "ollamaModel() shows the words of an error that is an object",
    run: async () => {
      const end = (await eventsOf({ lines: [{ error: { code: 7, message: "no room" } }] })).at(-1);
      equal(end?.type === "error" && end.failure.message.includes('{"code":7,"message":"no room"}'), true);
    },
  },
  {
    name: "ollamaModel() passes on how long the server asked to wait",
    run: async () => {
      const end = (await eventsOf(errorAnswer(503, "server busy", { "retry-after": "7" }))).at(-1);
      deepEqual(end?.type === "error" && [end.failure.retryable, end.failure.retryAfterMs], [true, 7000]);
    },
  },
  {
    name: "ollamaModel() skips blank lines between the others",
    run: async () => {
      const events = await eventsOf({ lines: ["\n", chunk({ content: "a" }), "\n \n", doneChunk()] });
      deepEqual(summarize(events), ["text 0 a", "done stop"]);
    },
  },
  {
    name: "ollamaModel() does not keep a line in memory that has no end",
    run: async () => {
      const megabyte = "x".repeat(1024 * 1024);
      const end = (await eventsOf({ lines: Array.from({ length: 70 }, () => megabyte) })).at(-1);
      deepEqual(
        end?.type === "error" && end.failure.message,
        "The model's answer broke off: a line has no end",
      );
    },
  },
  {
    name: "ollamaModel() does not wait for the end of an error's body",
    run: async () => {
      const events = await eventsOf({ ...errorAnswer(503, "busy"), ending: "open" });
      const end = events.at(-1);
      deepEqual(end?.type === "error" && end.failure.message.endsWith("answered 503: busy"), true);
    },
  },
  {
    name: "ollamaModel() says that the server has no such model",
    run: async () => {
      const end = (await eventsOf(textAnswer("a"), { model: { model: "nope" } })).at(-1);
      deepEqual(
        end?.type === "error" && [end.failure.kind, end.failure.message.endsWith('has no model "nope"')],
        ["notFound", true],
      );
    },
  },
  {
    name: "ollamaModel() says that nobody listens",
    run: async () => {
      const end = (
        await eventsOf(textAnswer("a"), {
          model: { host: { url: "http://127.0.0.1:9", loopback: true, cloud: false } },
        })
      ).at(-1);
      deepEqual(end?.type === "error" && end.failure, {
        kind: "unavailable",
        message: "Cannot reach the Ollama server at http://127.0.0.1:9: connection refused",
        hint: 'Start it with "ollama serve", or name another with --host or OLLAMA_HOST.',
        retryable: true,
      });
    },
  },
];
