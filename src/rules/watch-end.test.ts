import { describe, expect, test } from "bun:test";
import { type AssistantMessage, NO_USAGE } from "../model/messages.ts";
import type { ModelEvent } from "../model/model.ts";
import { ruleOf, ttsrRules } from "../testing/rules.ts";
import { createWatch, type Watch } from "./watch.ts";

const MESSAGE: AssistantMessage = {
  role: "assistant",
  content: [],
  api: "test",
  provider: "test",
  model: "test",
  usage: NO_USAGE,
  stopReason: "stop",
  timestamp: 0,
};
const START: ModelEvent = { type: "start" };
const DONE: ModelEvent = { type: "done", message: MESSAGE };
const FAILED: ModelEvent = {
  type: "error",
  message: { ...MESSAGE, stopReason: "aborted" },
  failure: { kind: "sigint", message: "aborted", retryable: false },
};
const text = (delta: string, contentIndex = 0): ModelEvent => ({ type: "text_delta", contentIndex, delta });
function watchOf(...rules: readonly [name: string, frontMatter: string][]): Watch {
  return createWatch(ttsrRules(rules.map(([name, lines]) => ruleOf(name, lines))), { cwd: "/project" });
}

/** What fired at each event, as `rule@offset stream`, with `$` where only the end decided it. */
function fires(watch: Watch, events: readonly ModelEvent[]): readonly string[][] {
  return events.map((event) =>
    watch.push(event).map(({ rule, stream, at, atEnd }) => `${rule.name}@${at}${atEnd ? "$" : ""} ${stream}`),
  );
}

describe("Watch.push()", () => {
  test("fires in a text when the match is certain, not when it looks like one", () => {
    const watch = watchOf(["no-any", "condition: '\\bany\\b'"]);
    expect(fires(watch, [START, text("is it any"), text("thing? any"), text(" one")])).toEqual([
      [],
      [],
      [],
      ["no-any@20 text"],
    ]);
  });

  test("fires what only the end decides when the next block begins, and when the message is done", () => {
    const watch = watchOf(["ends", "condition: 'foo$'"]);
    expect(fires(watch, [START, text("a foo"), text("b foo", 1), DONE])).toEqual([
      [],
      [],
      ["ends@5$ text"],
      ["ends@5$ text"],
    ]);
  });

  test("fires nothing at the end of a stream that failed", () => {
    const watch = watchOf(["ends", "condition: 'foo$'"]);
    expect(fires(watch, [START, text("a foo"), FAILED])).toEqual([[], [], []]);
  });

  test("fires what only the end of an argument decides when its quote closes", () => {
    const watch = watchOf(["newline", "condition: 'd$'\nscope: tool:write"]);
    const delta = (piece: string): ModelEvent => ({ type: "toolcall_delta", contentIndex: 0, delta: piece });
    const start: ModelEvent = { type: "toolcall_start", contentIndex: 0, id: "call0", name: "write" };
    expect(fires(watch, [START, start, delta('{"content":"the end'), delta('"'), delta("}")])).toEqual([
      [],
      [],
      [],
      ["newline@7$ tool:write"],
      [],
    ]);
  });
});

describe("Watch.takeGaveUp()", () => {
  test("tells once of a rule whose pattern cost too much, in text and in a call", () => {
    const rules = ttsrRules([ruleOf("evil", "condition: '(?:(a+)+\\1)+b'")]);
    const watch = createWatch(rules, { cwd: "/project", matcher: { stepsPerUnit: 1, checkEvery: 8 } });
    const evil = `${"a".repeat(400)}b`;
    const args = JSON.stringify({ command: evil });
    const events: readonly ModelEvent[] = [
      START,
      text(evil),
      { type: "toolcall_start", contentIndex: 1, id: "call1", name: "bash" },
      { type: "toolcall_delta", contentIndex: 1, delta: args },
      {
        type: "toolcall_end",
        contentIndex: 1,
        toolCall: { type: "toolCall", id: "call1", name: "bash", arguments: { command: evil } },
      },
      DONE,
    ];
    const told = events.flatMap((event) => {
      watch.push(event);
      return watch.takeGaveUp().map(({ rule, stream }) => `${rule.name} ${stream}`);
    });
    expect(told).toEqual(["evil text", "evil tool:bash"]);
  });
});
