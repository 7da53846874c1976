// A handoff that is cancelled, at every stage: the server sees it, no new session is left, the old one is sound.

import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { acquireLock } from "../session/lock.ts";
import { chunk, textAnswer } from "../testing/fake-answers.ts";
import { type HandoffPlace, handoffPlace, recorded, WHOLE_DOCUMENT } from "../testing/handoff-command.ts";
import type { RunningAgent } from "../testing/spawn.ts";
import { until } from "../testing/until.ts";

const HALF = { lines: [chunk({ content: "## Goal\nhalf" })], ending: "open" } as const;
const SILENT = { lines: [], headDelayMs: 600_000 } as const;
const PROMPT = "user: Write a handoff document for this sessio";

async function expectCancelled(place: HandoffPlace, running: RunningAgent, code: number): Promise<void> {
  const result = await running.result;
  expect(result).toMatchObject({
    code,
    stdout: "",
    stderr: expect.stringContaining("agent: Handoff cancelled\n"),
  });
  expect(place.stored()).toEqual([]);
  const check = await place.run(["session", "check", "old.jsonl"]);
  expect(check.code).toBe(0);
}

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const) {
  test(`handoff is cancelled by ${signal} before the first byte`, async () => {
    await using place = await handoffPlace("auth-refactor", [SILENT]);
    const running = place.start(["handoff", "old.jsonl", ...place.model]);
    const request = await place.server.chat(0);
    running.child.kill(signal);
    await expectCancelled(place, running, code);
    await request.clientGone;
    expect(recorded(place.added())).toEqual([PROMPT]);
  });

  test(`handoff is cancelled by ${signal} in the middle of the answer, which is recorded`, async () => {
    await using place = await handoffPlace("auth-refactor", [HALF]);
    const running = place.start(["handoff", "old.jsonl", ...place.model, "--record", "r.jsonl"]);
    const request = await place.server.chat(0);
    const received = join(place.dir.path, "r.jsonl");
    await until(() => existsSync(received) && readFileSync(received, "utf8").includes("half"));
    running.child.kill(signal);
    await expectCancelled(place, running, code);
    await request.clientGone;
    expect(recorded(place.added())).toEqual([PROMPT, "assistant: ## Goal\nhalf"]);
  });
}

for (const [stage, answers] of [
  ["before the first byte", [SILENT]],
  ["in the middle of the answer", [HALF]],
  ["while it asks for missing sections", [textAnswer("## Goal\nx"), SILENT]],
] as const) {
  test(`handoff is cancelled by --max-time ${stage}, with the code of a limit`, async () => {
    await using place = await handoffPlace("auth-refactor", answers);
    const limits = ["--max-time", "800ms", "--result", "result.json"];
    const running = place.start(["handoff", "old.jsonl", ...place.model, ...limits]);
    await expectCancelled(place, running, 6);
    const record = JSON.parse(readFileSync(join(place.dir.path, "result.json"), "utf8"));
    expect(record).toMatchObject({ ok: false, exitCode: 6, limit: "time", error: { kind: "limit" } });
  });
}

test("handoff is cancelled while it asks for missing sections, and its result counts what was used", async () => {
  await using place = await handoffPlace("auth-refactor", [textAnswer("## Goal\nx"), SILENT]);
  const running = place.start(["handoff", "old.jsonl", ...place.model, "--result", "result.json"]);
  await place.server.chat(1);
  running.child.kill("SIGINT");
  await expectCancelled(place, running, 130);
  const record = JSON.parse(readFileSync(join(place.dir.path, "result.json"), "utf8"));
  expect(record.usage.totalTokens).toBeGreaterThan(0);
});

for (const [how, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["--max-time", 6],
] as const) {
  test(`handoff is cancelled by ${how} between the answer and the new session`, async () => {
    await using place = await handoffPlace("auth-refactor", [textAnswer(WHOLE_DOCUMENT)]);
    const into = join(place.dir.path, "next.jsonl");
    const lock = await acquireLock(into, { owner: { pid: process.pid, hostname: hostname() }, waitMs: 0 });
    try {
      const limit = how === "--max-time" ? ["--max-time", "4s"] : [];
      const waiting = [...place.model, "--into", into, "--wait", "60s", ...limit];
      const running = place.start(["handoff", "old.jsonl", ...waiting]);
      await until(() => place.added().length >= 2);
      await new Promise((resolve) => setTimeout(resolve, 200));
      if (how !== "--max-time") running.child.kill(how);
      await expectCancelled(place, running, code);
      expect(existsSync(into)).toBe(false);
      expect(recorded(place.added())).toEqual([PROMPT, `assistant: ${WHOLE_DOCUMENT.slice(0, 40)}`]);
    } finally {
      lock.release();
    }
  });
}

for (const [how, code] of [
  ["SIGTERM", 143],
  ["--max-time", 6],
] as const) {
  test(`handoff is cancelled by ${how} while it waits for a session from stdin`, async () => {
    await using place = await handoffPlace("auth-refactor");
    const limit = how === "--max-time" ? ["--max-time", "3s"] : [];
    const running = place.start(["handoff", "-", "--engine", "offline", ...limit], { stdin: { open: "" } });
    await until(() => running.stderr().includes("waiting for"));
    if (how !== "--max-time") running.child.kill(how);
    await expectCancelled(place, running, code);
  });
}

test("handoff leaves no new session where the reader of the document went away", async () => {
  await using place = await handoffPlace("auth-refactor");
  const running = place.start(["handoff", "old.jsonl", "--engine", "offline", "--result", "result.json"]);
  running.child.stdout?.destroy();
  expect(await running.result).toMatchObject({ code: 141, stderr: "" });
  expect(place.stored()).toEqual([]);
  const record = JSON.parse(readFileSync(join(place.dir.path, "result.json"), "utf8"));
  expect(record).toMatchObject({ ok: false, exitCode: 141, sessionPath: null });
});

test("handoff ends with 75 while another process writes to the session, and waits if told to", async () => {
  await using place = await handoffPlace("auth-refactor", [HALF, textAnswer(WHOLE_DOCUMENT)]);
  const holder = place.start(["handoff", "old.jsonl", ...place.model]);
  await place.server.chat(0);
  const second = await place.run(["handoff", "old.jsonl", ...place.model]);
  expect(second).toMatchObject({ code: 75, stdout: "" });
  const waiting = place.start(["handoff", "old.jsonl", ...place.model, "--wait", "30s"]);
  holder.child.kill("SIGINT");
  await holder.result;
  expect((await waiting.result).code).toBe(0);
});
