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
const text = (delta: string, contentIndex = 0): ModelEvent => ({ type: "text_delta", contentIndex, delta });
const thinking = (delta: string, contentIndex = 0): ModelEvent => ({
  type: "thinking_delta",
  contentIndex,
  delta,
});

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
  test("keeps blocks apart", () => {
    const watch = watchOf(["joined", "condition: foobar\nscope: text, thinking"]);
    expect(fires(watch, [START, text("foo"), thinking("bar", 1), text("bar", 2), DONE]).flat()).toEqual([]);
  });

  test("forgets what came before a new start", () => {
    const watch = watchOf(["joined", "condition: foobar"]);
    expect(fires(watch, [START, text("foo"), START, text("bar"), DONE]).flat()).toEqual([]);
  });

  test("looks into thinking only for rules that ask for it", () => {
    const watch = watchOf(["a", "condition: foo"], ["b", "condition: foo\nscope: thinking"]);
    expect(fires(watch, [START, thinking("foo"), text("foo", 1)])).toEqual([
      [],
      ["b@3 thinking"],
      ["a@3 text"],
    ]);
  });

  test("gives all rules that one push decides, by offset, then in their order", () => {
    const watch = watchOf(["b", "condition: two"], ["a", "condition: one"], ["c", "condition: two"]);
    expect(fires(watch, [START, text("one two")])[1]).toEqual(["a@3 text", "b@7 text", "c@7 text"]);
  });

  test("fires a rule once in a block and again in the next", () => {
    const watch = watchOf(["a", "condition: foo"]);
    expect(fires(watch, [START, text("foo foo"), text("foo", 1)]).flat()).toEqual(["a@3 text", "a@3 text"]);
  });

  test("watches no text for a rule with globs", () => {
    const watch = watchOf(["a", "condition: foo\nglobs: '*.ts'"]);
    expect(fires(watch, [START, text("foo"), DONE]).flat()).toEqual([]);
  });
});
