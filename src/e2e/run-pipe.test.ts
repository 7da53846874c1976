// stdout: what is written arrives whole, and a reader that goes away ends the run.

import { expect, test } from "bun:test";
import { parseRecords } from "../testing/event-schema.ts";
import { chunk, doneChunk, textAnswer } from "../testing/fake-answers.ts";
import { branchOutline, runPlace } from "../testing/run-command.ts";
import { until } from "../testing/until.ts";

test("run stops the model and records what came when the reader of stdout goes away", async () => {
  const lines = Array.from({ length: 50 }, (_, index) => chunk({ content: `piece ${index} ` }));
  await using place = await runPlace([{ lines, lineDelayMs: 20, ending: "open" }]);
  const running = place.start(["--output", "live", "hi"]);
  running.child.stdout?.once("data", () => running.child.stdout?.destroy());
  const result = await running.result;
  await place.server.chats()[0]?.clientGone;
  expect(result.code).toBe(141);
  expect(result.stderr).not.toContain(" at ");
  expect(branchOutline(place.session()).at(-1)).toStartWith("assistant: piece 0 ");
});

test("run hands over an answer larger than any pipe's buffer", async () => {
  const long = "0123456789abcdef".repeat(40_000);
  await using place = await runPlace([textAnswer(long)]);
  const result = await place.run(["hi"]);
  expect(result.stdout === `${long}\n`).toBe(true);
});

test("run prints line separators of Unicode escaped, and control characters as they are", async () => {
  const text = "a\u2028b\u2029c\u001b[31m";
  await using place = await runPlace([textAnswer(text), textAnswer(text)]);
  const records = await place.run(["--output", "jsonl", "hi"]);
  expect(records.stdout).not.toMatch(/[\u2028\u2029]/);
  expect(parseRecords(records.stdout).at(-1)).toMatchObject({ text });
  expect((await place.run(["hi"])).stdout).toBe(`${text}\n`);
});

test("run survives half of a surrogate pair in the model's text", async () => {
  const line = JSON.stringify(chunk({ content: "broken @@ pair" })).replace("@@", "\\ud83d");
  await using place = await runPlace([{ lines: [`${line}\n`, doneChunk()] }]);
  const result = await place.run(["--output", "jsonl", "hi"]);
  expect(parseRecords(result.stdout).at(-1)).toMatchObject({ ok: true, text: "broken \ud83d pair" });
  expect(branchOutline(place.session()).at(-1)).toBe("assistant: broken \ud83d pair");
});

test("run records what came when a signal finds it waiting for a reader that does not read", async () => {
  const lines = Array.from({ length: 400 }, (_, index) =>
    chunk({ content: `${index} ${"x".repeat(1_000)}` }),
  );
  await using place = await runPlace([{ lines, ending: "open" }]);
  const running = place.start(["--output", "jsonl", "--into", "s.jsonl", "hi"]);
  running.child.stdout?.once("data", () => running.child.stdout?.pause());
  await place.server.chat(0);
  await Bun.sleep(500);
  running.child.kill("SIGTERM");
  const path = `${place.dir.path}/s.jsonl`;
  await until(async () => (await Bun.file(path).text()).includes('"aborted"'));
  running.child.stdout?.resume();
  expect((await running.result).code).toBe(143);
});
