import { describe, expect, test } from "bun:test";
import type { AssistantMessage } from "../model/messages.ts";
import { ruleOf, ttsrRules } from "../testing/rules.ts";
import { createRuleTester, TESTED_CALL, testedMessage } from "./test-rules.ts";

function matches(message: AssistantMessage, ...rules: readonly (readonly [string, string])[]) {
  const registered = ttsrRules(rules.map(([name, lines]) => ruleOf(name, lines)));
  const tester = createRuleTester(registered, { cwd: "/project", watchedOf: () => TESTED_CALL });
  return tester
    .test(message)
    .map(({ rule, stream, at, end, firesAt, text }) => ({ rule: rule.name, stream, at, end, firesAt, text }));
}

const asText = (text: string) => testedMessage(text, { kind: "text" });

describe("createRuleTester()", () => {
  test("shows the leftmost match that was decided, not the longest", () => {
    expect(matches(asText("a foo bar bar"), ["r", "condition: 'foo.*bar'"])).toEqual([
      { rule: "r", stream: "text", at: 2, end: 9, firesAt: 9, text: "foo bar" },
    ]);
  });

  test("shows a match whose end is before what it had to look at", () => {
    expect(matches(asText("foobar"), ["r", "condition: 'foo(?=bar)'"])).toEqual([
      { rule: "r", stream: "text", at: 0, end: 3, firesAt: 6, text: "foo" },
    ]);
  });

  test("shows what only the end decides", () => {
    expect(matches(asText("foo foo"), ["r", "condition: 'foo$'"])).toEqual([
      { rule: "r", stream: "text", at: 4, end: 7, firesAt: 7, text: "foo" },
    ]);
  });

  test("finds the text of the argument that a rule fired in", () => {
    const message = testedMessage("x: any;", { kind: "tool", tool: "write", glob: "a.ts" });
    expect(matches(message, ["r", "condition: any\nglobs: '*.ts'"])).toEqual([
      { rule: "r", stream: "tool:write", at: 3, end: 6, firesAt: 6, text: "any" },
    ]);
  });

  test("gives a message that was aborted no end", () => {
    const message: AssistantMessage = { ...asText("foo"), stopReason: "aborted" };
    expect(matches(message, ["r", "condition: 'foo$'"])).toEqual([]);
  });
});
