// A reader of stdout that does not read holds a command up until a signal or its limit of time, and no longer.

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { chunk, doneChunk } from "../testing/fake-answers.ts";
import { branchOutline, runPlace } from "../testing/run-command.ts";
import { startAgent } from "../testing/spawn.ts";
import { tempDir } from "../testing/temp.ts";
import { unreadPipe } from "../testing/unread-pipe.ts";

/** More than a pipe holds, on every system. */
const LONG = "0123456789abcdef".repeat(12_500);
const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;

const RESULT = ["--result", "r.json", "--num-ctx", "200000"];
const longAnswer = { lines: [chunk({ content: LONG }), chunk({ content: "end" }), doneChunk()] };

for (const output of ["text", "live", "json", "jsonl", "session"]) {
  test(`run --output ${output} ends at --max-time when nobody reads, with its answer recorded`, async () => {
    await using place = await runPlace([longAnswer]);
    using pipe = unreadPipe();
    const args = ["--output", output, "--max-time", "3s", ...RESULT, "hi"];
    const { code, stderr } = await place.run(args, { stdout: pipe.writeEnd });
    const record = JSON.parse(readFileSync(`${place.dir.path}/r.json`, "utf8"));
    expect([code, record]).toMatchObject([6, { ok: false, exitCode: 6, limit: "time" }]);
    expect(stderr).toContain("time");
    // With the output "session" it is recorded nowhere else. Where events are printed the run itself waits for the reader.
    if (output !== "text" && output !== "json") return;
    expect(branchOutline(place.session()).at(-1) === `assistant: ${LONG}end`).toBe(true);
  });
}

for (const output of ["text", "live", "json", "jsonl", "session"]) {
  for (const [signal, exitCode] of output === "text" ? SIGNALS : SIGNALS.slice(1, 2)) {
    test(`run --output ${output} says that ${signal} ended it when nobody reads`, async () => {
      await using place = await runPlace([longAnswer]);
      using pipe = unreadPipe();
      const args = ["--output", output, ...RESULT, "hi"];
      const running = place.start(args, { stdout: pipe.writeEnd });
      await pipe.begun();
      running.child.kill(signal);
      const { code, stderr } = await running.result;
      const record = JSON.parse(readFileSync(`${place.dir.path}/r.json`, "utf8"));
      expect([code, record]).toMatchObject([
        exitCode,
        { ok: false, exitCode, error: { kind: signal.toLowerCase() } },
      ]);
      expect(stderr).toEndWith(`agent: Ended by ${signal}\n`);
    });
  }
}

test("run that failed and cannot say so ends by the signal", async () => {
  const cut = { lines: [chunk({ content: LONG }), doneChunk({ done_reason: "length" })] };
  await using place = await runPlace([cut]);
  using pipe = unreadPipe();
  const args = ["--output", "json", "--result", "r.json", "hi"];
  const running = place.start(args, { stdout: pipe.writeEnd });
  await pipe.begun();
  expect(JSON.parse(readFileSync(`${place.dir.path}/r.json`, "utf8"))).toMatchObject({ exitCode: 6 });
  running.child.kill("SIGTERM");
  expect((await running.result).code).toBe(143);
  expect(JSON.parse(readFileSync(`${place.dir.path}/r.json`, "utf8"))).toMatchObject({ exitCode: 143 });
});

test("run says that a signal ended it also where a second one does not let it", async () => {
  await using place = await runPlace([longAnswer]);
  using pipe = unreadPipe();
  const running = place.start([...RESULT, "hi"], { stdout: pipe.writeEnd });
  await pipe.begun();
  running.child.kill("SIGTERM");
  running.child.kill("SIGINT");
  const { code } = await running.result;
  const { exitCode } = JSON.parse(readFileSync(`${place.dir.path}/r.json`, "utf8"));
  // Two signals that wait are taken in no promised order.
  expect([code, exitCode].map((each) => [130, 143].includes(each ?? 0))).toEqual([true, true]);
});

test("run --output jsonl gives whole records as far as the pipe took them", async () => {
  const lines = Array.from({ length: 400 }, (_, index) =>
    chunk({ content: `${index} ${"x".repeat(1_000)}` }),
  );
  await using place = await runPlace([{ lines: [...lines, doneChunk()] }]);
  using pipe = unreadPipe();
  const running = place.start(["--output", "jsonl", "hi"], { stdout: pipe.writeEnd });
  await pipe.begun();
  running.child.kill("SIGTERM");
  expect((await running.result).code).toBe(143);
  const records = pipe.rest().split("\n").slice(0, -1);
  expect(records.map((line) => JSON.parse(line).type).slice(0, 2)).toEqual(["session", "agent_start"]);
});

const MESSAGE = { type: "message", role: "user", content: LONG };
const FOREIGN = `{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":${JSON.stringify(MESSAGE)}}\n`;

for (const line of [
  ["session", "convert", "long.jsonl"],
  ["session", "convert", "long.jsonl", "--output", "json"],
  ["session", "show", "long.jsonl", "--output", "json"],
]) {
  test(`${line.join(" ")} says that SIGTERM ended it when nobody reads`, async () => {
    using dir = tempDir();
    using pipe = unreadPipe();
    dir.write("long.jsonl", FOREIGN);
    const running = startAgent(line, { cwd: dir.path, home: dir.path, stdout: pipe.writeEnd });
    await pipe.begun();
    running.child.kill("SIGTERM");
    const { code, stderr } = await running.result;
    expect([code, stderr]).toEqual([143, "agent: Ended by SIGTERM\n"]);
  });
}

test("handoff ends at --max-time when nobody reads, and leaves no session that nobody was told of", async () => {
  using dir = tempDir();
  using pipe = unreadPipe();
  const wish = (index: number) => FOREIGN.replace(LONG, `please fix src/file${index}.ts ${"x".repeat(200)}`);
  dir.write("old.jsonl", Array.from({ length: 2_000 }, (_, index) => wish(index)).join(""));
  const args = ["--engine", "offline", "--output", "json", "--into", "next.jsonl", "--result", "r.json"];
  const running = startAgent(["handoff", "old.jsonl", ...args, "--max-time", "3s"], {
    cwd: dir.path,
    home: dir.path,
    stdout: pipe.writeEnd,
  });
  await pipe.begun();
  expect((await running.result).code).toBe(6);
  const record = JSON.parse(readFileSync(`${dir.path}/r.json`, "utf8"));
  expect(record).toMatchObject({ ok: false, exitCode: 6, limit: "time", sessionPath: null });
  expect(readdirSync(dir.path)).not.toContain("next.jsonl");
});
