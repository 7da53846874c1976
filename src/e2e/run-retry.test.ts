// Requests that fail for a reason that may pass are made again; nothing is printed twice, nothing else is retried.

import { expect, test } from "bun:test";
import { parseRecords } from "../testing/event-schema.ts";
import { chunk, errorAnswer, textAnswer } from "../testing/fake-answers.ts";
import type { ScriptedAnswer } from "../testing/fake-ollama.ts";
import { type RunPlace, runPlace } from "../testing/run-command.ts";

const HALF_THEN_ERROR = { lines: [chunk({ content: "Hel" }), '{"error":"the runner is gone"}\n'] };

async function quickly(answers: readonly ScriptedAnswer[]): Promise<RunPlace> {
  const place = await runPlace(answers);
  place.dir.write("c.jsonc", '{ "retry": { "baseDelayMs": 1 } }');
  return place;
}

test("run tries again after 429, 500, 502, 503, 504 and a stream that broke, with an event for each", async () => {
  const failures: readonly ScriptedAnswer[] = [
    ...[429, 500, 502, 503, 504].map((status) => errorAnswer(status, "busy")),
    HALF_THEN_ERROR,
    { lines: [chunk({ content: "Hel" })] },
    { lines: ["<html>\n"] },
    { lines: ["null\n"] },
  ];
  await using place = await quickly([...failures, textAnswer("Hello")]);
  const result = await place.run(["--config", "c.jsonc", "--retries", "20", "--output", "jsonl", "hi"]);
  const records = parseRecords(result.stdout);
  expect(result.code).toBe(0);
  expect(records.filter(({ type }) => type === "retry").map(({ attempt }) => attempt)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9,
  ]);
  expect(records.at(-1)).toMatchObject({ text: "Hello" });
  const bodies = place.server.chats().map(({ body }) => JSON.stringify(body));
  expect(new Set(bodies).size).toBe(1);
});

test("run prints no text of an attempt that failed, and records none", async () => {
  await using place = await quickly([HALF_THEN_ERROR, textAnswer("Hello")]);
  expect((await place.run(["--config", "c.jsonc", "hi"])).stdout).toBe("Hello\n");
  expect(JSON.stringify(place.session())).not.toContain('"Hel"');
});

test("run honours Retry-After", async () => {
  await using place = await quickly([errorAnswer(503, "busy", { "retry-after": "1" }), textAnswer("Hello")]);
  const result = await place.run(["--config", "c.jsonc", "--output", "jsonl", "hi"]);
  expect(parseRecords(result.stdout).filter(({ type }) => type === "retry")).toMatchObject([
    { delayMs: 1000, maxAttempts: 3 },
  ]);
});

test("run retries neither 400, 401, 403 nor a spent quota", async () => {
  const quota = errorAnswer(429, "you have reached your weekly usage limit, upgrade to continue");
  for (const answer of [
    errorAnswer(400, "bad"),
    errorAnswer(401, "unauthorized"),
    errorAnswer(403, "no"),
    quota,
  ]) {
    await using place = await quickly([answer]);
    expect((await place.run(["--config", "c.jsonc", "hi"])).code).toBe(1);
    expect(place.server.chats().length).toBe(1);
  }
});

test("run tells the model what was wrong with a call that the server could not parse", async () => {
  const broken = errorAnswer(500, "error parsing tool call: raw='{\"a\":', err=unexpected end of JSON input");
  await using place = await quickly([broken, textAnswer("Hello")]);
  expect((await place.run(["--config", "c.jsonc", "hi"])).stdout).toBe("Hello\n");
  const [first, second] = place.server.chats().map(({ body }) => JSON.stringify(body));
  expect(second).not.toBe(first);
  expect(second).toContain("could not be read, and was not run");
});
