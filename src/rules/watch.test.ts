import { describe, expect, test } from "bun:test";
import { DONE, fires, START, textDelta, thinkingDelta, watchOf } from "../testing/watched-stream.ts";

describe("Watch.push()", () => {
  test("keeps blocks apart", () => {
    const watch = watchOf(["joined", "condition: foobar\nscope: text, thinking"]);
    expect(
      fires(watch, [START, textDelta("foo"), thinkingDelta("bar", 1), textDelta("bar", 2), DONE]).flat(),
    ).toEqual([]);
  });

  test("forgets what came before a new start", () => {
    const watch = watchOf(["joined", "condition: foobar"]);
    expect(fires(watch, [START, textDelta("foo"), START, textDelta("bar"), DONE]).flat()).toEqual([]);
  });

  test("looks into thinking only for rules that ask for it", () => {
    const watch = watchOf(["a", "condition: foo"], ["b", "condition: foo\nscope: thinking"]);
    expect(fires(watch, [START, thinkingDelta("foo"), textDelta("foo", 1)])).toEqual([
      [],
      ["b@3 thinking"],
      ["a@3 text"],
    ]);
  });

  test("gives all rules that one push decides, by offset, then in their order", () => {
    const watch = watchOf(["b", "condition: two"], ["a", "condition: one"], ["c", "condition: two"]);
    expect(fires(watch, [START, textDelta("one two")])[1]).toEqual(["a@3 text", "b@7 text", "c@7 text"]);
  });

  test("fires a rule once in a block and again in the next", () => {
    const watch = watchOf(["a", "condition: foo"]);
    expect(fires(watch, [START, textDelta("foo foo"), textDelta("foo", 1)]).flat()).toEqual([
      "a@3 text",
      "a@3 text",
    ]);
  });

  test("watches no text for a rule with globs", () => {
    const watch = watchOf(["a", "condition: foo\nglobs: '*.ts'"]);
    expect(fires(watch, [START, textDelta("foo"), DONE]).flat()).toEqual([]);
  });
});
