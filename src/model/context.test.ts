import { expect, test } from "bun:test";
import fc from "fast-check";
import { missingResults, toModelMessages } from "./context.ts";
import {
  type AssistantBlock,
  type AssistantMessage,
  type Message,
  NO_USAGE,
  type StopReason,
  toolCallsOf,
} from "./messages.ts";

const user = (content: string): Message => ({ role: "user", content, timestamp: 1 });
const assistant = (
  content: readonly AssistantBlock[],
  stopReason: StopReason = "stop",
): AssistantMessage => ({
  role: "assistant",
  content,
  api: "a",
  provider: "p",
  model: "m",
  usage: NO_USAGE,
  stopReason,
  timestamp: 2,
});
const call = (id: string): AssistantBlock => ({ type: "toolCall", id, name: "t", arguments: {} });
const result = (toolCallId: string, text = toolCallId) => ({
  role: "toolResult" as const,
  toolCallId,
  toolName: "t",
  content: [{ type: "text" as const, text }],
  isError: false,
  timestamp: 3,
});
const NONE = {
  ...result("x", "No result: the run ended before this call did."),
  isError: true,
  timestamp: 2,
};

test("toModelMessages() makes user messages of what a session holds beside the conversation", () => {
  const messages: readonly Message[] = [
    { role: "compactionSummary", summary: "before", tokensBefore: 9, timestamp: 1 },
    { role: "branchSummary", summary: "elsewhere", fromId: "a", timestamp: 1 },
    { role: "branchSummary", summary: " ", fromId: "a", timestamp: 1 },
    { role: "custom", customType: "note", content: "noted", display: false, timestamp: 1 },
    {
      role: "bashExecution",
      command: "ls",
      output: "a b",
      exitCode: 0,
      cancelled: false,
      truncated: false,
      timestamp: 1,
    },
    { role: "bashExecution", command: "x", output: "", cancelled: true, truncated: false, timestamp: 1 },
    {
      role: "bashExecution",
      command: "secret",
      output: "",
      cancelled: false,
      truncated: false,
      excludeFromContext: true,
      timestamp: 1,
    },
  ];
  expect(toModelMessages(messages).map(({ role, content }) => [role, content])).toEqual([
    ["user", "Summary of the conversation so far:\n\nbefore"],
    ["user", "Summary of work on another branch:\n\nelsewhere"],
    ["user", "noted"],
    ["user", "The user ran this command: ls\nIts output:\na b\nExit status: 0."],
    ["user", "The user ran this command: x\nIt printed nothing.\nIt was cancelled."],
  ]);
});

test("toModelMessages() leaves out answers that failed or are empty, and keeps cut ones", () => {
  const thought = { type: "thinking", thinking: "hm" } as const;
  const text = { type: "text", text: "half" } as const;
  const messages = [
    user("u"),
    assistant([text], "error"),
    assistant([]),
    assistant([thought]),
    assistant([{ type: "text", text: "" }]),
    assistant([thought, text], "aborted"),
  ];
  expect(toModelMessages(messages)).toEqual([user("u") as never, assistant([thought, text], "aborted")]);
});

test("toModelMessages() keeps thinking and calls that come without text", () => {
  const message = assistant([{ type: "thinking", thinking: "hm" }, call("c")], "toolUse");
  expect(toModelMessages([message, result("c")])).toEqual([message, result("c")]);
});

test("toModelMessages() puts each result behind its call, and makes up what is missing", () => {
  const both = assistant([call("a"), call("x")], "toolUse");
  const messages = [user("u"), both, user("between"), result("a"), result("a", "again"), result("orphan")];
  expect(toModelMessages(messages)).toEqual([
    user("u") as never,
    both,
    result("a"),
    NONE,
    user("between") as never,
  ]);
});

test("toModelMessages() gives each of several calls of one id its own result", () => {
  const first = assistant([call("c")], "toolUse");
  const messages = [first, result("c", "1"), first, result("c", "2")];
  expect(toModelMessages(messages)).toEqual(messages);
});

test("toModelMessages() gives no call the result of a later one of its id", () => {
  const asks = assistant([call("c")], "toolUse");
  const none = { ...NONE, toolCallId: "c" };
  expect(toModelMessages([asks, user("go on"), asks, result("c", "2")])).toEqual([
    asks,
    none,
    user("go on") as never,
    asks,
    result("c", "2"),
  ]);
});

test("toModelMessages() tells calls of one message apart that share an id or have none", () => {
  const messages = [
    assistant([call("c"), call("c"), call("")], "toolUse"),
    result("c", "1"),
    result("", "3"),
    result("c", "2"),
  ];
  expect(toModelMessages(messages)).toEqual([
    assistant([call("c"), call("c_0_1"), call("call_0_2")], "toolUse"),
    result("c", "1"),
    { ...result("c_0_1", "2") },
    { ...result("call_0_2", "3") },
  ]);
});

test("missingResults() names the calls of the last answer that have no result", () => {
  const answer = assistant([call("a"), call("x")], "toolUse");
  expect(missingResults([user("u"), answer, result("a")], 2)).toEqual([NONE]);
  expect(missingResults([user("u"), answer, result("a"), result("x")], 2)).toEqual([]);
  expect(missingResults([assistant([call("a")], "error")], 2)).toEqual([]);
  expect(missingResults([], 2)).toEqual([]);
});

test("toModelMessages() gives a conversation that no server refuses, whatever the session holds", () => {
  const id = fc.constantFrom("a", "b", "");
  const message: fc.Arbitrary<Message> = fc.oneof(
    fc.constant(user("u")),
    id.map((each) => result(each)),
    fc
      .tuple(
        fc.array(id, { maxLength: 3 }),
        fc.boolean(),
        fc.constantFrom<StopReason>("stop", "toolUse", "error", "aborted"),
      )
      .map(([ids, text, stop]) =>
        assistant([...(text ? [{ type: "text" as const, text: "t" }] : []), ...ids.map(call)], stop),
      ),
  );
  fc.assert(
    fc.property(fc.array(message, { maxLength: 20 }), (messages) => {
      const sent = toModelMessages(messages);
      let open: string[] = [];
      for (const each of sent) {
        if (each.role === "toolResult") {
          if (open.shift() !== each.toolCallId) return false;
          continue;
        }
        if (open.length > 0) return false;
        if (each.role === "assistant") open = toolCallsOf(each).map((one) => one.id);
        if (new Set(open).size < open.length || open.includes("")) return false;
      }
      return open.length === 0;
    }),
  );
});
