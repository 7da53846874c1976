import { expect, test } from "bun:test";
import { collectEvents, testRun, testTool } from "../testing/collect-events.ts";
import { answer, calls, fails, says, scriptedModel } from "../testing/scripted-model.ts";

const userMessage = { role: "user", content: "Hi", timestamp: 0 } as const;
const prompt = [
  { type: "message_start", role: "user" },
  { type: "message_end", message: userMessage },
] as const;
const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };

test("runAgent() yields every event of a run with one answer, in order", async () => {
  const model = scriptedModel([says("Hel", "lo")]);
  expect(await collectEvents(testRun(model))).toEqual([
    { type: "agent_start", model: "scripted/test", tools: [] },
    ...prompt,
    { type: "turn_start", turn: 1 },
    { type: "message_start", role: "assistant" },
    { type: "message_update", contentIndex: 0, kind: "text", delta: "Hel" },
    { type: "message_update", contentIndex: 0, kind: "text", delta: "lo" },
    { type: "message_end", message: answer([{ type: "text", text: "Hello" }]) },
    { type: "turn_end", turn: 1, interrupted: false, usage },
    { type: "agent_end", reason: "stop" },
  ]);
  expect(model.requests).toEqual([
    { systemPrompt: "system", messages: [userMessage], tools: [], options: {} },
  ]);
});

test("runAgent() sends a call's result in the next request", async () => {
  const model = scriptedModel([calls({ id: "c1", name: "now", arguments: {} }), says("noon")]);
  const run = testRun(model, { tools: { offered: [testTool("now")], withheld: [] } });
  const events = await collectEvents(run);
  expect(events.at(-1)).toEqual({ type: "agent_end", reason: "stop" });
  expect(model.requests[1]?.messages).toEqual([
    userMessage,
    answer([{ type: "toolCall", id: "c1", name: "now", arguments: {} }], "toolUse"),
    {
      role: "toolResult",
      toolCallId: "c1",
      toolName: "now",
      content: [{ type: "text", text: "ok" }],
      isError: false,
      timestamp: 0,
    },
  ]);
});

test("runAgent() makes the text of a failed attempt void and tries again", async () => {
  const model = scriptedModel([fails("Hel"), says("Hello")]);
  const events = await collectEvents(testRun(model));
  expect(events.slice(4, -2)).toEqual([
    { type: "message_start", role: "assistant" },
    { type: "message_update", contentIndex: 0, kind: "text", delta: "Hel" },
    {
      type: "message_end",
      message: {
        ...answer([{ type: "text", text: "Hel" }], "error"),
        errorMessage: "the server is busy",
      },
      discarded: true,
    },
    { type: "retry", attempt: 1, maxAttempts: 3, delayMs: 0, error: "the server is busy" },
    { type: "message_start", role: "assistant", attempt: 2 },
    { type: "message_update", contentIndex: 0, kind: "text", delta: "Hello" },
    { type: "message_end", message: answer([{ type: "text", text: "Hello" }]) },
  ]);
  expect(model.requests[1]).toEqual(model.requests[0]);
});

test("runAgent() ends with the error when the retries are spent", async () => {
  const model = scriptedModel([fails(""), fails("")]);
  const events = await collectEvents(testRun(model, { retry: { attempts: 1, baseDelayMs: 0 } }));
  expect(events.filter((event) => event.type === "retry").length).toBe(1);
  expect(events.at(-1)).toEqual({
    type: "agent_end",
    reason: "error",
    error: { kind: "unavailable", message: "the server is busy", retryable: true },
  });
});

test("runAgent() does not retry a failure that will not pass", async () => {
  const model = scriptedModel([fails("", { kind: "notFound", message: "no model", retryable: false })]);
  expect((await collectEvents(testRun(model))).at(-1)).toEqual({
    type: "agent_end",
    reason: "error",
    error: { kind: "notFound", message: "no model", retryable: false },
  });
});

test("runAgent() counts what failed attempts wrote in the turn's usage, and against the limit of tokens", async () => {
  const model = scriptedModel([fails("12345678"), says("done")]);
  const events = await collectEvents(testRun(model, { limits: { maxTurns: 5, maxTokens: 100 } }));
  const turns = events.flatMap((event) => (event.type === "turn_end" ? [event.usage.output] : []));
  expect(turns).toEqual([6]);
  expect(model.requests.map(({ options }) => options.maxTokens)).toEqual([100, 94]);
});

test("runAgent() does not wait for a server that asks for more than ten minutes", async () => {
  const model = scriptedModel([fails("", { retryAfterMs: 3_600_000 })]);
  const events = await collectEvents(testRun(model));
  expect(events.filter((event) => event.type === "retry")).toEqual([]);
  expect(events.at(-1)).toMatchObject({ reason: "error", error: { kind: "unavailable" } });
});
