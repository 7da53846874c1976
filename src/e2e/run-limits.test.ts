// Limits end a run at the limit, with a result that says which.

import { expect, test } from "bun:test";
import { parseRecords } from "../testing/event-schema.ts";
import { chunk, doneChunk, textAnswer, toolAnswer } from "../testing/fake-answers.ts";
import { branchOutline, runPlace } from "../testing/run-command.ts";
import { until } from "../testing/until.ts";

const HANGS = { lines: [chunk({ content: "half" })], ending: "open" } as const;
const look = (path: string) => toolAnswer({ name: "ls", arguments: { path } });

test("run --max-time closes the request, records what came, and ends with 6", async () => {
  await using place = await runPlace([HANGS]);
  const result = await place.run(["--max-time", "2s", "--output", "json", "hi"]);
  await place.server.chats()[0]?.clientGone;
  expect(result.code).toBe(6);
  expect(JSON.parse(result.stdout)).toMatchObject({
    limit: "time",
    error: { kind: "limit" },
    stopReason: "aborted",
  });
  expect(branchOutline(place.session()).at(-1)).toBe("assistant: half");
});

test("run --max-time takes a time that is longer than the platform's timers hold", async () => {
  await using place = await runPlace([textAnswer("in time")]);
  expect(await place.run(["--max-time", "60d", "hi"])).toEqual({
    code: 0,
    signal: null,
    stdout: "in time\n",
    stderr: "",
  });
});

test("run --max-time ends a wait for stdin and for a server that says nothing", async () => {
  await using place = await runPlace([], { paths: { "/api/show": { lines: [], headDelayMs: 600_000 } } });
  for (const stdin of [{ open: "" }, "a prompt"]) {
    const running = place.start(["--max-time", "300ms", "--output", "json"], { stdin });
    const result = await running.result;
    expect(result.code).toBe(6);
    expect(JSON.parse(result.stdout)).toMatchObject({ limit: "time", sessionId: null });
  }
});

test("run --max-time records what came while nobody reads stdout, and delivers it later", async () => {
  const lines = Array.from({ length: 400 }, (_, index) =>
    chunk({ content: `${index} ${"x".repeat(1_000)}` }),
  );
  await using place = await runPlace([{ lines, ending: "open" }]);
  const running = place.start(["--max-time", "3s", "--output", "jsonl", "--into", "s.jsonl", "hi"]);
  running.child.stdout?.once("data", () => running.child.stdout?.pause());
  await place.server.chat(0);
  await until(async () => (await Bun.file(`${place.dir.path}/s.jsonl`).text()).includes('"aborted"'));
  running.child.stdout?.resume();
  const result = await running.result;
  expect(result.code).toBe(6);
  expect(parseRecords(result.stdout).at(-1)).toMatchObject({ limit: "time", stopReason: "aborted" });
});

test("run --max-time ends a wait between abort and retry of a rule", async () => {
  await using place = await runPlace([{ lines: [chunk({ content: "x: any" })], ending: "open" }]);
  place.dir.write(".agent/rules/no-any.md", "---\ncondition: ': any'\n---\n\nUse unknown.\n");
  place.dir.write("c.jsonc", '{ "ttsr": { "retryDelayMs": 600000 } }');
  const result = await place.run(["--config", "c.jsonc", "--max-time", "2s", "--output", "json", "hi"]);
  expect(JSON.parse(result.stdout)).toMatchObject({ exitCode: 6, limit: "time" });
  expect(branchOutline(place.session()).at(-1)).toBe("ttsr_injection");
});

test("run --max-turns makes no request more, and no call stays without its result", async () => {
  await using place = await runPlace([look("."), look("."), textAnswer("never asked for")]);
  const result = await place.run(["--max-turns", "2", "--output", "jsonl", "look"]);
  expect(result.code).toBe(6);
  expect(parseRecords(result.stdout).at(-1)).toMatchObject({ limit: "turns", turns: 2 });
  expect(place.server.chats().length).toBe(2);
  expect(branchOutline(place.session()).at(-1)).toStartWith("toolResult: ");
});

test("run --max-tokens sends what is left with each request", async () => {
  const spends = (tokens: number) => ({
    lines: [
      chunk({ tool_calls: [{ function: { name: "ls", arguments: {} } }] }),
      doneChunk({ eval_count: tokens }),
    ],
  });
  await using place = await runPlace([spends(60), spends(40)]);
  const result = await place.run(["--max-tokens", "100", "--output", "json", "look"]);
  expect(JSON.parse(result.stdout)).toMatchObject({ exitCode: 6, limit: "tokens", usage: { output: 100 } });
  const sent = place.server.chats().map(({ body }) => body["options"] as { num_predict: number });
  expect(sent.map(({ num_predict }) => num_predict)).toEqual([100, 40]);
});

test("run ends a model that repeats the same call with the same result", async () => {
  await using place = await runPlace(Array.from({ length: 6 }, () => look(".")));
  const result = await place.run(["--output", "json", "look"]);
  expect(JSON.parse(result.stdout)).toMatchObject({ exitCode: 6, limit: "repetition", turns: 5 });
});

test("run gives a whole result record for a usage error too", async () => {
  await using place = await runPlace();
  const result = await place.run(["--output", "jsonl", "--nonsense", "hi"]);
  expect(result.code).toBe(2);
  expect(parseRecords(result.stdout)).toMatchObject([
    { type: "result", ok: false, exitCode: 2, sessionId: null, violations: [] },
  ]);
});
