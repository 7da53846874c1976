// Signals: the server sees the connection close, what was received is recorded, the exit code says which signal.

import { expect, test } from "bun:test";
import { parseRecords } from "../testing/event-schema.ts";
import { chunk, textAnswer, toolAnswer } from "../testing/fake-answers.ts";
import { isRunning } from "../testing/processes.ts";
import { branchOutline, runPlace } from "../testing/run-command.ts";
import type { RunningAgent } from "../testing/spawn.ts";
import { until } from "../testing/until.ts";

const HALF = { lines: [chunk({ content: "half an ans" })], ending: "open" } as const;
const RULE = "---\ncondition: ': any'\n---\n\nUse unknown.\n";

/** Waits for the first text in a jsonl output. */
const textCame = (running: RunningAgent) => until(() => running.stdout().includes("message_update"));

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const) {
  test(`run ends with ${code} at ${signal}, the request closed and what came recorded`, async () => {
    await using place = await runPlace([HALF]);
    const running = place.start(["--output", "jsonl", "hi"]);
    await textCame(running);
    running.child.kill(signal);
    const result = await running.result;
    await place.server.chats()[0]?.clientGone;
    expect(result.code).toBe(code);
    expect(parseRecords(result.stdout).at(-1)).toMatchObject({
      ok: false,
      exitCode: code,
      stopReason: "aborted",
    });
    expect(branchOutline(place.session())).toEqual(["model_change", "user: hi", "assistant: half an ans"]);
  });
}

for (const output of ["text", "live", "json", "jsonl", "session"]) {
  test(`run gives 130 at SIGINT with --output ${output}`, async () => {
    await using place = await runPlace([HALF]);
    const running = place.start(["--output", output, "--result", "r.json", "hi"]);
    await place.server.chat(0);
    running.child.kill("SIGINT");
    const result = await running.result;
    expect(result.code).toBe(130);
    const record = await Bun.file(`${place.dir.path}/r.json`).json();
    expect(record).toMatchObject({ ok: false, exitCode: 130, error: { kind: "sigint" } });
    if (output === "json") expect(JSON.parse(result.stdout)).toEqual(record);
    if (output === "text") expect(result.stdout).toBe("");
  });
}

test("run ends at a signal before the first byte of the answer", async () => {
  await using place = await runPlace([{ lines: [], headDelayMs: 600_000 }]);
  const running = place.start(["hi"]);
  const request = await place.server.chat(0);
  running.child.kill("SIGINT");
  expect((await running.result).code).toBe(130);
  await request.clientGone;
  expect(branchOutline(place.session())).toEqual(["model_change", "user: hi"]);
});

test("run ends at once at a second signal, even while nobody reads its output", async () => {
  const lines = Array.from({ length: 400 }, (_, index) =>
    chunk({ content: `${index} ${"x".repeat(1_000)}` }),
  );
  await using place = await runPlace([{ lines, ending: "open" }]);
  const running = place.start(["--output", "jsonl", "--into", "s.jsonl", "hi"]);
  const exited = new Promise((resolve) => running.child.once("exit", resolve));
  running.child.stdout?.once("data", () => running.child.stdout?.pause());
  await place.server.chat(0);
  await Bun.sleep(500);
  running.child.kill("SIGINT");
  await until(async () => (await Bun.file(`${place.dir.path}/s.jsonl`).text()).includes('"aborted"'));
  running.child.kill("SIGINT");
  expect(await exited).toBe(130);
});

test("run makes the write of a rule's window when a signal falls into it", async () => {
  await using place = await runPlace([{ lines: [chunk({ content: "x: any" })], ending: "open" }]);
  place.dir.write(".agent/rules/no-any.md", RULE);
  place.dir.write("agent.jsonc", '{ "ttsr": { "retryDelayMs": 600000 } }');
  const running = place.start(["--config", "agent.jsonc", "--output", "jsonl", "hi"]);
  await until(() => running.stdout().includes("ttsr_triggered"));
  running.child.kill("SIGTERM");
  const result = await running.result;
  expect(result.code).toBe(143);
  expect(branchOutline(place.session())).toEqual([
    "model_change",
    "user: hi",
    "ttsr-injection",
    "ttsr_injection",
  ]);
  expect(place.server.chats().length).toBe(1);
});

test("run goes on in a session that a signal left in mid-answer", async () => {
  await using place = await runPlace([HALF, textAnswer("whole")]);
  const running = place.start(["--output", "jsonl", "hi"]);
  await textCame(running);
  running.child.kill("SIGINT");
  await running.result;
  expect((await place.run(["--continue", "go on"])).stdout).toBe("whole\n");
  expect(place.server.chats()[1]?.body["messages"]).toMatchObject([
    { role: "system" },
    { role: "user", content: "hi" },
    { role: "assistant", content: "half an ans" },
    { role: "user", content: "go on" },
  ]);
});

test("run ends a running command and what it started at a signal, and gives its call a result", async () => {
  const command = "sleep 600 & echo $! > child; echo begun; wait";
  await using place = await runPlace([toolAnswer({ name: "bash", arguments: { command } })]);
  const running = place.start(["--allow-run", "--output", "jsonl", "sleep"]);
  await until(() => running.stdout().includes("tool_execution_update"));
  running.child.kill("SIGTERM");
  const result = await running.result;
  expect(result.code).toBe(143);
  const child = Number(await Bun.file(`${place.dir.path}/child`).text());
  expect(isRunning(child)).toBe(false);
  expect(branchOutline(place.session()).slice(-2)).toEqual([
    "assistant: (toolCall bash)",
    expect.stringMatching(/^toolResult: [\s\S]*begun/),
  ]);
});
