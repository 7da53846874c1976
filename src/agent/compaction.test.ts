import { expect, test } from "bun:test";
import { type Message, type ModelMessage, NO_USAGE } from "../model/messages.ts";
import type { Model } from "../model/model.ts";
import { collectEvents, testRun, testTool } from "../testing/collect-events.ts";
import { answer, fails, type Step, says, scriptedModel } from "../testing/scripted-model.ts";

const WINDOW = 2_000;

function smallModel(scripts: readonly (readonly Step[])[]) {
  const model = scriptedModel(scripts);
  const small: Model = {
    ...model,
    info: async () => ({ contextWindow: WINDOW, tools: true, vision: false, thinking: false }),
  };
  return { model: small, requests: model.requests };
}

const user = (content: string): Message => ({ role: "user", content, timestamp: 0 });
const says100 = (word: string) => word.repeat(100);

test("runAgent() shortens old tool results before it summarises anything", async () => {
  const long = "x".repeat(8_000);
  const history: readonly Message[] = [
    user("read it"),
    answer([{ type: "toolCall", id: "c", name: "read", arguments: {} }], "toolUse"),
    {
      role: "toolResult",
      toolCallId: "c",
      toolName: "read",
      content: [{ type: "text", text: long }],
      isError: false,
      timestamp: 0,
    },
    ...Array.from({ length: 6 }, (_, index) => user(`note ${index}`)),
  ];
  const { model, requests } = smallModel([says("done")]);
  const events = await collectEvents(testRun(model, { history }));
  expect(events.some((event) => event.type === "compaction_start")).toBe(false);
  expect(requests.length).toBe(1);
  const sent = requests[0]?.messages.find((message) => message.role === "toolResult");
  expect(sent?.content).toEqual([
    { type: "text", text: `${"x".repeat(400)}\n[… 7200 characters left out …]\n${"x".repeat(400)}` },
  ]);
});

test("runAgent() puts a summary in place of the older part when it nears the window", async () => {
  const history = Array.from({ length: 14 }, (_, index) => user(`${index} ${says100("word ")}`));
  const { model, requests } = smallModel([says("Part one."), says("What happened before."), says("done")]);
  const events = await collectEvents(testRun(model, { history }));
  const end = events.find((event) => event.type === "compaction_end");
  expect(end).toEqual({
    type: "compaction_end",
    summary:
      `What happened before.\n\nThe user's last request in this part, word for word:\n\n9 ${says100("word ")}`.trim(),
    tokensBefore: expect.any(Number),
    keptMessages: 5,
  });
  expect(events.findIndex((event) => event.type === "turn_start")).toBeLessThan(
    events.findIndex((event) => event.type === "compaction_start"),
  );
  const second = requests[2]?.messages ?? [];
  expect(second.length).toBe(6);
  expect(second[0]?.content).toStartWith("Summary of the conversation so far:\n\nWhat happened before.");
  expect(second.at(-1)).toEqual({ role: "user", content: "Hi", timestamp: 0 } satisfies ModelMessage);
});

test("runAgent() says what it leaves out of a long request that it quotes in a summary", async () => {
  const said = Array.from({ length: 10 }, () => answer([{ type: "text", text: says100("word ") }]));
  const { model } = smallModel([...Array.from({ length: 6 }, () => says("before")), says("done")]);
  const events = await collectEvents(testRun(model, { history: [user("x".repeat(4_500)), ...said] }));
  const end = events.find((event) => event.type === "compaction_end");
  expect(end?.summary).toEndWith(`${"x".repeat(4_000)}\n[… 500 characters left out …]`);
});

test("runAgent() keeps the request that a summary quotes when that is summarised in turn", async () => {
  const said = Array.from({ length: 14 }, () => answer([{ type: "text", text: says100("word ") }]));
  const quote = "The user's last request in this part, word for word:\n\nBuild it.";
  const before: Message = {
    role: "compactionSummary",
    summary: `Long ago.\n\n${quote}`,
    tokensBefore: 9,
    timestamp: 0,
  };
  const { model } = smallModel([...Array.from({ length: 3 }, () => says("later")), says("done")]);
  const events = await collectEvents(testRun(model, { history: [before, ...said] }));
  const end = events.find((event) => event.type === "compaction_end");
  expect(end?.summary).toBe(`later\n\n${quote}`);
});

test("runAgent() summarises a part that is larger than the window piece by piece", async () => {
  const history = Array.from({ length: 30 }, () => user(says100("word ")));
  const scripts = Array.from({ length: 6 }, (_, index) => says(`summary ${index}`));
  const { model, requests } = smallModel(scripts);
  const events = await collectEvents(testRun(model, { history }));
  expect(events.at(-1)).toEqual({ type: "agent_end", reason: "stop" });
  expect(requests.length).toBeGreaterThan(2);
  expect(requests[1]?.messages[0]?.content).toStartWith(
    "Summary of what came before this part:\n\nsummary 0\n\nThe conversation:",
  );
});

test("runAgent() compacts and asks again when the server says that the request does not fit", async () => {
  const history = Array.from({ length: 6 }, () => user(says100("word ")));
  const overflow = fails("", { reason: "contextOverflow", kind: "failed", retryable: false });
  const { model, requests } = smallModel([overflow, says("before"), says("done")]);
  const events = await collectEvents(testRun(model, { history }));
  expect(events.filter((event) => event.type.startsWith("compaction")).length).toBe(2);
  expect(requests.length).toBe(3);
  expect(events.at(-1)).toEqual({ type: "agent_end", reason: "stop" });
});

test("runAgent() does not send again what a server refused as too large and nothing makes smaller", async () => {
  const overflow = fails("", { reason: "contextOverflow", kind: "failed", retryable: false });
  const model = scriptedModel([overflow]);
  const events = await collectEvents(testRun(model));
  expect(model.requests.length).toBe(1);
  expect(events.at(-1)).toMatchObject({ reason: "error", error: { kind: "failed" } });
});

test("runAgent() ends with the failure when the summary cannot be made", async () => {
  const history = Array.from({ length: 14 }, () => user(says100("word ")));
  const { model } = smallModel([fails("", { kind: "notFound", message: "gone", retryable: false })]);
  expect((await collectEvents(testRun(model, { history }))).at(-1)).toEqual({
    type: "agent_end",
    reason: "error",
    error: { kind: "notFound", message: "gone", retryable: false },
  });
});

test("runAgent() compacts what a server refuses as too large, also where the window is not known", async () => {
  const history = Array.from({ length: 6 }, () => user(says100("word ")));
  const overflow = fails("", { reason: "contextOverflow", kind: "failed", retryable: false });
  const model = scriptedModel([overflow, says("a part"), says("before"), says("done")]);
  const events = await collectEvents(testRun(model, { history }));
  expect(model.requests[3]?.messages[0]?.content).toStartWith(
    "Summary of the conversation so far:\n\nbefore",
  );
  expect(events.at(-1)).toEqual({ type: "agent_end", reason: "stop" });
});

test("runAgent() tells of each retry of a summary, and of what the caller must hear of it", async () => {
  const history = Array.from({ length: 14 }, () => user(says100("word ")));
  const noticed = (steps: readonly Step[]) =>
    steps.map((step) => (step !== "hang" && step.type === "done" ? { ...step, notices: ["cut"] } : step));
  const { model } = smallModel([fails("half"), noticed(says("one")), says("two"), says("done")]);
  const events = await collectEvents(testRun(model, { history }));
  expect(events.filter(({ type }) => type === "retry" || type === "notice")).toEqual([
    { type: "retry", attempt: 1, maxAttempts: 3, delayMs: 0, error: "the server is busy" },
    { type: "notice", message: "cut" },
  ]);
});

test("runAgent() does not wait for hours to make a summary", async () => {
  const history = Array.from({ length: 14 }, () => user(says100("word ")));
  const { model } = smallModel([fails("", { retryAfterMs: 3_600_000 })]);
  expect((await collectEvents(testRun(model, { history }))).at(-1)).toMatchObject({
    reason: "error",
    error: { kind: "unavailable" },
  });
});

test("runAgent() lets a summary generate no more than is left of --max-tokens, and ends there", async () => {
  const history = Array.from({ length: 14 }, () => user(says100("word ")));
  const usage = { ...NO_USAGE, output: 100, totalTokens: 100 };
  const spends = says("before").map((event) =>
    event.type === "done" ? { ...event, message: { ...event.message, usage } } : event,
  );
  const { model, requests } = smallModel([spends, spends]);
  const events = await collectEvents(testRun(model, { history, limits: { maxTurns: 5, maxTokens: 150 } }));
  expect(requests.map(({ options }) => options.maxTokens)).toEqual([150, 50]);
  expect(events.at(-1)).toMatchObject({ reason: "limit", limit: "tokens" });
});

test("runAgent() makes no summary of a few words because tools fill a small window", async () => {
  const tool = { ...testTool("t"), spec: { name: "t", description: "x".repeat(7_000), parameters: {} } };
  const { model, requests } = smallModel([says("done")]);
  const tools = { offered: [tool], withheld: [] };
  const events = await collectEvents(testRun(model, { history: [user("a"), user("b")], tools }));
  expect(events.at(-1)).toEqual({ type: "agent_end", reason: "stop" });
  expect(requests.length).toBe(1);
});
