import { expect, test } from "bun:test";
import { guardedRun } from "../testing/guarded-run.ts";
import { ruleOf } from "../testing/rules.ts";
import { fails, says, scriptedModel } from "../testing/scripted-model.ts";
import type { AgentEvent } from "./events.ts";
import { runAgent } from "./loop.ts";

const NO_ANY = ruleOf("no-any", "condition: ': any'");
const HOUR = 3_600_000;

test("runAgent() makes the write and ends when a signal comes between abort and retry", async () => {
  const model = scriptedModel([says(": any")]);
  const controller = new AbortController();
  const events: AgentEvent[] = [];
  for await (const event of runAgent(
    guardedRun(model, { rules: [NO_ANY], ttsr: { retryDelayMs: HOUR } }),
    controller.signal,
  )) {
    events.push(event);
    if (event.type === "ttsr_triggered") controller.abort();
  }
  expect(events.slice(-7).map((event) => event.type)).toEqual([
    "ttsr_triggered",
    "branch",
    "message_end",
    "message_start",
    "message_end",
    "turn_end",
    "agent_end",
  ]);
  expect(events.at(-1)).toEqual({ type: "agent_end", reason: "aborted" });
});

test("runAgent() makes the write and ends when the time is up between abort and retry", async () => {
  const model = scriptedModel([says(": any")]);
  const run = guardedRun(model, {
    rules: [NO_ANY],
    ttsr: { retryDelayMs: HOUR },
    limits: { maxTurns: 5, maxTimeMs: 30 },
  });
  const events = await Array.fromAsync(runAgent(run, new AbortController().signal));
  expect(events.filter((event) => event.type === "branch").length).toBe(1);
  expect(events.at(-1)).toMatchObject({ type: "agent_end", reason: "limit", limit: "time" });
});

test("runAgent() ends with the error when the request after a rule fails", async () => {
  const failed = fails("", { kind: "failed", message: "unauthorized", retryable: false });
  const model = scriptedModel([says(": any"), failed]);
  const events = await Array.fromAsync(
    runAgent(guardedRun(model, { rules: [NO_ANY] }), new AbortController().signal),
  );
  expect(events.filter((event) => event.type === "branch").length).toBe(1);
  expect(events.at(-1)).toEqual({
    type: "agent_end",
    reason: "error",
    error: { kind: "failed", message: "unauthorized", retryable: false },
  });
});
