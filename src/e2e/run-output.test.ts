// What each output prints of one run that had everything: a retry, a rule, a tool, an answer.

import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseRecords } from "../testing/event-schema.ts";
import { chunk, textAnswer, toolAnswer } from "../testing/fake-answers.ts";
import { parseLines, type RunPlace, runPlace } from "../testing/run-command.ts";
import { AGENT_BINARY } from "../testing/spawn.ts";
import { tempDir } from "../testing/temp.ts";

async function eventful(): Promise<RunPlace> {
  const place = await runPlace([
    { lines: [chunk({ content: "void attempt" }), '{"error":"the runner is gone"}\n'] },
    { lines: [chunk({ content: "x: any" })], ending: "open" },
    toolAnswer({ name: "read", arguments: { path: "note.txt" } }),
    textAnswer("The ", "answer."),
  ]);
  place.dir.write(".agent/rules/no-any.md", "---\ncondition: ': any'\n---\n\nUse unknown.\n");
  place.dir.write("note.txt", "a note\n");
  place.dir.write("fast.jsonc", '{ "retry": { "baseDelayMs": 1 } }');
  return place;
}

const ARGS = ["--config", "fast.jsonc", "do it"];

test("run --output text prints the final answer once and nothing void", async () => {
  await using place = await eventful();
  const result = await place.run(["--output", "text", ...ARGS]);
  expect(result).toMatchObject({ code: 0, stdout: "The answer.\n" });
  for (const line of result.stderr.trimEnd().split("\n")) expect(line).toStartWith("agent: ");
});

test("run --output live prints text as it comes and says on stderr what became void", async () => {
  await using place = await eventful();
  const result = await place.run(["--output", "live", ...ARGS]);
  expect(result).toMatchObject({ code: 0, stdout: "void attempt\nx: any\nThe answer.\n" });
  expect(result.stderr.match(/the text above is void/g)?.length).toBe(2);
});

test("run --output live says that the text of a request that failed for good is void", async () => {
  await using place = await runPlace([{ lines: [chunk({ content: "half" })] }]);
  const result = await place.run(["--output", "live", "--retries", "0", "do it"]);
  expect(result).toMatchObject({ code: 69, stdout: "half\n" });
  expect(result.stderr).toStartWith("agent: the text above is void: its request failed\n");
});

test("run --output live ends a line that was cut before stderr says why, where both go to one place", () => {
  using dir = tempDir();
  dir.write(".agent/rules/no-any.md", "---\ncondition: ': any'\n---\n\nUse unknown.\n");
  const answer = (text: string) => `{"type":"text_delta","delta":"${text}"}\n{"type":"done"}\n`;
  dir.write("r.jsonl", `${answer("x: any")}${answer("x: unknown")}`);
  const args = ["run", "--no-session", "--model", "replay:r.jsonl", "--output", "live", "go"];
  const { status, stdout } = spawnSync("sh", ["-c", '"$@" 2>&1 </dev/null', "sh", AGENT_BINARY, ...args], {
    cwd: dir.path,
    env: { PATH: process.env["PATH"], HOME: dir.path },
    encoding: "utf8",
  });
  expect([status, stdout.split("\n")]).toEqual([
    0,
    [
      "x: any",
      expect.stringMatching(/^agent: rule no-any stopped the model/),
      "agent: the text above is void: it is not part of the session",
      "x: unknown",
      "",
    ],
  ]);
});

test("run --output json prints one result record", async () => {
  await using place = await eventful();
  const result = await place.run(["--output", "json", "--result", "r.json", ...ARGS]);
  const record = JSON.parse(result.stdout);
  expect(record).toEqual({
    type: "result",
    ok: true,
    exitCode: 0,
    sessionId: expect.any(String),
    sessionPath: place.sessions()[0] ?? "",
    text: "The answer.",
    stopReason: "stop",
    turns: 2,
    usage: { input: expect.any(Number), output: expect.any(Number), totalTokens: expect.any(Number) },
    durationMs: expect.any(Number),
    violations: [{ rule: "no-any", severity: "error", stream: "text", at: 6, outcome: "discarded" }],
  });
  expect(JSON.parse(readFileSync(`${place.dir.path}/r.json`, "utf8"))).toEqual(record);
});

test("run --output jsonl prints the header, every event in order, and the result last", async () => {
  await using place = await eventful();
  const records = parseRecords((await place.run(["--output", "jsonl", ...ARGS])).stdout);
  expect(records[0]).toMatchObject({ type: "session", v: 1 });
  expect(records.map(({ type }) => type).filter((type) => !String(type).startsWith("message_"))).toEqual([
    "session",
    "agent_start",
    "turn_start",
    "retry",
    "ttsr_triggered",
    "turn_end",
    "turn_start",
    "tool_execution_start",
    "tool_execution_end",
    "turn_end",
    "turn_start",
    "turn_end",
    "agent_end",
    "result",
  ]);
});

test("run --output session prints the session and touches no file", async () => {
  await using place = await eventful();
  const result = await place.run(["--output", "session", ...ARGS]);
  const lines = parseLines(result.stdout);
  expect(lines[0]).toMatchObject({ type: "session", version: 3 });
  expect(lines.at(-1)).toMatchObject({
    message: { role: "assistant", content: [{ type: "text", text: "The answer." }] },
  });
  expect(place.sessions()).toEqual([]);
});

test("run with --quiet says nothing on stderr when all goes well", async () => {
  await using place = await eventful();
  expect((await place.run(["--quiet", ...ARGS])).stderr).toBe("");
});

test("run with --verbose says what the run is made of", async () => {
  await using place = await eventful();
  const { stderr } = await place.run(["--verbose", "--no-session", ...ARGS]);
  expect(stderr).toMatch(
    /^agent: session: [\w-]+ \(in memory\)\nagent: model: ollama\/fake\nagent: tools: read, ls, find, grep\nagent: rules that watch: no-any\n/m,
  );
});
