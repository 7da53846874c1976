import { expect, test } from "bun:test";
import { NO_USAGE } from "../model/messages.ts";
import { collectEvents, testRun, testTool } from "../testing/collect-events.ts";
import { answer, calls, says, scriptedModel } from "../testing/scripted-model.ts";
import { textResult } from "../tools/tool.ts";

const call = (id: string) => ({ id, name: "t", arguments: {} });
const tools = (result = () => "ok", readOnly = false) => ({
  offered: [testTool("t", async () => textResult(result()), readOnly)],
  withheld: [],
});

test("runAgent() makes no request past --max-turns", async () => {
  const model = scriptedModel([calls(call("1")), calls(call("2"))]);
  const events = await collectEvents(testRun(model, { tools: tools(), limits: { maxTurns: 2 } }));
  expect(model.requests.length).toBe(2);
  expect(events.at(-1)).toMatchObject({ reason: "limit", limit: "turns", error: { kind: "limit" } });
});

test("runAgent() closes the request when the time is up", async () => {
  const model = scriptedModel([
    [{ type: "start" }, { type: "text_delta", contentIndex: 0, delta: "half" }, "hang"],
  ]);
  const events = await collectEvents(testRun(model, { limits: { maxTurns: 5, maxTimeMs: 20 } }));
  expect(model.log).toEqual(["open", "closed"]);
  expect(events.at(-1)).toMatchObject({ reason: "limit", limit: "time" });
  expect(events.filter((event) => event.type === "message_end").at(-1)).toMatchObject({
    message: answer([{ type: "text", text: "half" }], "aborted"),
  });
});

test("runAgent() makes no request when there is no time", async () => {
  const model = scriptedModel([says("done")]);
  const events = await collectEvents(testRun(model, { limits: { maxTurns: 5, maxTimeMs: 0 } }));
  expect(model.requests.length).toBe(0);
  expect(events.at(-1)).toMatchObject({ reason: "limit", limit: "time" });
});

test("runAgent() lets the model generate what is left of --max-tokens, and ends there", async () => {
  const usage = { ...NO_USAGE, output: 60, totalTokens: 60 };
  const spends = calls(call("1")).map((event) =>
    event.type === "done" ? { ...event, message: { ...event.message, usage } } : event,
  );
  const model = scriptedModel([spends, spends]);
  const run = testRun(model, { tools: tools(), limits: { maxTurns: 5, maxTokens: 100 } });
  const events = await collectEvents(run);
  expect(model.requests.map(({ options }) => options.maxTokens)).toEqual([100, 40]);
  expect(events.at(-1)).toMatchObject({ reason: "limit", limit: "tokens" });
});

test("runAgent() keeps to --max-tokens by its own estimate where the server counts nothing", async () => {
  const model = scriptedModel(Array.from({ length: 9 }, (_, index) => calls(call(`c${index}`))));
  let count = 0;
  const run = testRun(model, {
    tools: tools(() => `${count++}`),
    limits: { maxTurns: 9, maxTokens: 12 },
  });
  const events = await collectEvents(run);
  expect(model.requests.length).toBe(2);
  expect(events.at(-1)).toMatchObject({ reason: "limit", limit: "tokens" });
});

test("runAgent() ends at the limit of tokens when the answer was cut", async () => {
  const cut = says("half an").map((event) =>
    event.type === "done"
      ? { ...event, message: { ...event.message, stopReason: "length" as const } }
      : event,
  );
  const events = await collectEvents(testRun(scriptedModel([cut])));
  expect(events.at(-1)).toMatchObject({ reason: "limit", limit: "tokens" });
});

test("runAgent() ends when the same call gave the same result five times", async () => {
  const model = scriptedModel(Array.from({ length: 5 }, (_, index) => calls(call(`c${index}`))));
  const events = await collectEvents(testRun(model, { tools: tools(() => "same", true) }));
  expect(model.requests.length).toBe(5);
  expect(events.at(-1)).toMatchObject({ reason: "limit", limit: "repetition" });
});

test("runAgent() goes on while the same call gives different results", async () => {
  let count = 0;
  const scripts = [...Array.from({ length: 8 }, (_, index) => calls(call(`c${index}`))), says("done")];
  const events = await collectEvents(testRun(scriptedModel(scripts), { tools: tools(() => `${count++}`) }));
  expect(events.at(-1)).toEqual({ type: "agent_end", reason: "stop" });
});

test("runAgent() asks once more after an empty answer, then gives up", async () => {
  const empty = says("");
  const once = scriptedModel([empty, says("done")]);
  expect((await collectEvents(testRun(once))).at(-1)).toEqual({ type: "agent_end", reason: "stop" });
  expect(once.requests[1]?.messages.at(-1)?.content).toStartWith(
    "Your last message had neither text nor a tool call.",
  );
  const twice = scriptedModel([empty, empty]);
  expect((await collectEvents(testRun(twice))).at(-1)).toMatchObject({
    reason: "empty",
    error: { kind: "cancelled" },
  });
});
