import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Message } from "../model/messages.ts";
import { answer } from "../testing/scripted-model.ts";
import { findCutPoint } from "./cut-point.ts";

const user = (content: string): Message => ({ role: "user", content, timestamp: 0 });
const call = (...ids: readonly string[]): Message =>
  answer(
    ids.map((id) => ({ type: "toolCall", id, name: "t", arguments: {} })),
    "toolUse",
  );
const result = (toolCallId: string): Message => ({
  role: "toolResult",
  toolCallId,
  toolName: "t",
  content: [],
  isError: false,
  timestamp: 0,
});

test("findCutPoint() keeps as many of the last messages as the budget holds", () => {
  const messages = [user("1"), user("2"), user("3"), user("4")];
  expect(findCutPoint(messages, 2, () => 1)).toBe(2);
});

test("findCutPoint() keeps the last message, however large", () => {
  expect(findCutPoint([user("1"), user("2")], 0, () => 1)).toBe(1);
});

test("findCutPoint() does not cut between a call and its result", () => {
  const messages = [user("1"), call("a", "b"), result("a"), result("b"), user("2")];
  expect(findCutPoint(messages, 3, () => 1)).toBe(4);
  expect(findCutPoint(messages, 4, () => 1)).toBe(1);
});

test("findCutPoint() takes ids that repeat for calls of their own", () => {
  const messages = [user("1"), call("a"), result("a"), user("2"), call("a"), result("a"), user("3")];
  expect(findCutPoint(messages, 4, () => 1)).toBe(3);
});

test("findCutPoint() gives nothing for one message", () => {
  expect(findCutPoint([user("1")], 0, () => 1)).toBeUndefined();
});

test("findCutPoint() never separates a call from its result, whatever the conversation", () => {
  const step = fc.oneof(fc.constant("user"), fc.integer({ min: 1, max: 3 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.nat(12), (steps, budget) => {
      let next = 0;
      const messages = steps.flatMap((kind): readonly Message[] => {
        if (typeof kind === "string") return [user("u")];
        const ids = Array.from({ length: kind }, () => `c${next++}`);
        return [call(...ids), ...ids.map(result)];
      });
      const at = findCutPoint(messages, budget, () => 1);
      if (at === undefined) return messages.length <= 1 || messages[0]?.role === "assistant";
      const kept = messages.slice(at);
      const calls = kept.flatMap((message) =>
        message.role === "assistant"
          ? message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []))
          : [],
      );
      const results = kept.flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : []));
      return at > 0 && results.every((id) => calls.includes(id));
    }),
  );
});
