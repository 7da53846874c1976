import { describe, expect, test } from "bun:test";
import type { ModelEvent } from "../model/model.ts";
import { ruleOf, ttsrRules } from "../testing/rules.ts";
import { assistantMessage, DONE, fires, START, textDelta, watchOf } from "../testing/watched-stream.ts";
import { createWatch } from "./watch.ts";

const FAILED: ModelEvent = {
  type: "error",
  message: { ...assistantMessage([]), stopReason: "aborted" },
  failure: { kind: "sigint", message: "aborted", retryable: false },
};

describe("Watch.push()", () => {
  test("fires in a text when the match is certain, not when it looks like one", () => {
    const watch = watchOf(["no-any", "condition: '\\bany\\b'"]);
    expect(fires(watch, [START, textDelta("is it any"), textDelta("thing? any"), textDelta(" one")])).toEqual(
      [[], [], [], ["no-any@20 text"]],
    );
  });

  test("fires what only the end decides when the next block begins, and when the message is done", () => {
    const watch = watchOf(["ends", "condition: 'foo$'"]);
    expect(fires(watch, [START, textDelta("a foo"), textDelta("b foo", 1), DONE])).toEqual([
      [],
      [],
      ["ends@5$ text"],
      ["ends@5$ text"],
    ]);
  });

  test("fires nothing at the end of a stream that failed", () => {
    const watch = watchOf(["ends", "condition: 'foo$'"]);
    expect(fires(watch, [START, textDelta("a foo"), FAILED])).toEqual([[], [], []]);
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
    const rules = ttsrRules([ruleOf("evil", "condition: '(?:(a+)+\\1)+b(?!$)'")]);
    const watch = createWatch(rules, { cwd: "/project", matcher: { stepsPerUnit: 1, checkEvery: 8 } });
    const evil = `${"a".repeat(400)}b`;
    const args = JSON.stringify({ command: evil });
    const events: readonly ModelEvent[] = [
      START,
      textDelta(evil),
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
