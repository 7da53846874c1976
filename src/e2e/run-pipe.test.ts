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

test("run takes half of a surrogate pair in what a model writes for U+FFFD, in every output", async () => {
  const halves = (message: object) => `${JSON.stringify(chunk(message)).replaceAll("@@", "\\ud83d")}\n`;
  const asks = halves({ tool_calls: [{ function: { name: "no@@", arguments: { "k@@": ["v@@"] } } }] });
  const says = halves({ thinking: "hm @@", content: "broken @@ pair" });
  for (const output of ["text", "json", "jsonl", "session"]) {
    await using place = await runPlace([{ lines: [asks, doneChunk()] }, { lines: [says, doneChunk()] }]);
    const { code, stdout } = await place.run(["--output", output, "--result", "r.json", "hi"]);
    const result = await Bun.file(`${place.dir.path}/r.json`).text();
    const kept = output === "session" ? stdout : await Bun.file(place.sessions()[0] ?? "").text();
    expect([code, `${stdout}${result}${kept}`.match(/\\ud[89a-f]/i)]).toEqual([0, null]);
    expect(JSON.parse(result)).toMatchObject({ text: "broken \ufffd pair" });
    expect(stdout).toContain("broken \ufffd pair");
    for (const part of ["no\ufffd", "k\ufffd", "v\ufffd", "hm \ufffd", "broken \ufffd pair"])
      expect(kept).toContain(part);
  }
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
