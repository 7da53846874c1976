import { expect, test } from "bun:test";
import { collectEvents, testTool } from "../testing/collect-events.ts";
import { guardedRun } from "../testing/guarded-run.ts";
import { ruleOf } from "../testing/rules.ts";
import { calls, fails, says, scriptedModel } from "../testing/scripted-model.ts";

const REMINDS = ruleOf("no-any", "condition: ': any'\ninterruptMode: never");

test("runAgent() makes one more request with the reminder after a text that a rule only reminds of", async () => {
  const model = scriptedModel([says("x: any"), says("x: unknown")]);
  const events = await collectEvents(guardedRun(model, { rules: [REMINDS] }));
  expect(events.flatMap((event) => (event.type === "ttsr_triggered" ? [event.reason] : []))).toEqual([
    "it reminds afterwards (interruptMode)",
  ]);
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(model.requests.length).toBe(2);
  expect(events.at(-1)).toEqual({ type: "agent_end", reason: "stop" });
});

test("runAgent() reminds of a tool call after its result", async () => {
  const model = scriptedModel([
    calls({ id: "c1", name: "note", arguments: { text: "x: any" } }),
    says("fine"),
  ]);
  const tools = { offered: [testTool("note")], withheld: [] };
  const events = await collectEvents(guardedRun(model, { rules: [REMINDS], tools }));
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "toolResult",
    "user",
  ]);
  expect(events.filter((event) => event.type === "branch")).toMatchObject([
    { mode: "keep", partial: undefined, results: [], injectedRules: ["no-any"] },
  ]);
});

test("runAgent() does not remind of a text that a failed attempt made void", async () => {
  const model = scriptedModel([fails("x: any"), says("fine")]);
  const events = await collectEvents(guardedRun(model, { rules: [REMINDS] }));
  expect(events.filter((event) => event.type === "branch")).toEqual([]);
  expect(model.requests.length).toBe(2);
});

test("runAgent() does not remind of a text that the server broke off because it did not fit", async () => {
  const overflow = fails("x: any", { reason: "contextOverflow", kind: "failed", retryable: false });
  const model = scriptedModel([overflow, says("fine")]);
  const run = guardedRun(model, { rules: [REMINDS] });
  const events = await collectEvents(run);
  expect(events.filter((event) => event.type === "branch")).toEqual([]);
  expect(run.guard?.violations()).toMatchObject([{ rule: "no-any", outcome: "discarded" }]);
});

test("runAgent() ends although every answer is one to remind of", async () => {
  const rule = ruleOf(
    "no-any",
    "condition: ': any'\ninterruptMode: never\nrepeatMode: after-gap\nrepeatGap: 0",
  );
  const model = scriptedModel(Array.from({ length: 4 }, () => says("x: any")));
  const events = await collectEvents(guardedRun(model, { rules: [rule] }));
  expect(model.requests.length).toBe(4);
  expect(events.at(-1)).toEqual({ type: "agent_end", reason: "stop" });
});

test("runAgent() leaves no reminder out when the run ends before its turn does", async () => {
  const model = scriptedModel([
    [{ type: "start" }, { type: "text_delta", contentIndex: 0, delta: "x: any " }, "hang"],
  ]);
  const run = guardedRun(model, { rules: [REMINDS], limits: { maxTurns: 5, maxTimeMs: 20 } });
  const events = await collectEvents(run);
  expect(events.slice(-4).map((event) => event.type)).toEqual([
    "branch",
    "message_start",
    "message_end",
    "agent_end",
  ]);
});
