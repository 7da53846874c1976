import { describe, expect, test } from "bun:test";
import { locateMatch } from "./locate.ts";

const rule = (...patterns: string[]) => ({ id: "rule", patterns });
const match = (start: number, end: number, pattern = 0) => ({ kind: "match", start, end, pattern }) as const;

describe("locateMatch()", () => {
  test("gives what exec finds when the text is whole", () => {
    expect(locateMatch({ rule: rule("foo.*bar"), text: "a foo bar bar." })).toEqual(match(2, 13));
    expect(locateMatch({ rule: rule("a*?b|a+"), text: "xaab" })).toEqual(match(1, 4));
  });

  test("gives the leftmost match that is certain at the offset of a fire", () => {
    const text = "a foo bar bar.";
    expect(locateMatch({ rule: rule("foo.*bar"), text, decidedAt: 9 })).toEqual(match(2, 9));
    expect(locateMatch({ rule: rule("\\bfoo\\b"), text, decidedAt: 6 })).toEqual(match(2, 5));
    expect(locateMatch({ rule: rule("\\bfoo\\b"), text, decidedAt: 5 })).toEqual({ kind: "none" });
  });

  test("gives the pattern whose match begins first, and of those the first", () => {
    expect(locateMatch({ rule: rule("bc", "abc", "ab"), text: "abc" })).toEqual(match(0, 3, 1));
  });

  test("looks for matches that begin at `from` or later, with what is before as context", () => {
    expect(locateMatch({ rule: rule("(?<=a)b"), text: "ab ab", from: 2 })).toEqual(match(4, 5));
    expect(locateMatch({ rule: rule("^a"), text: "aa", from: 1 })).toEqual({ kind: "none" });
  });

  test("never begins inside a surrogate pair over code points", () => {
    const face = { id: "rule", patterns: ["\\ude00"], flags: "u" };
    expect(locateMatch({ rule: face, text: "😀" })).toEqual({ kind: "none" });
    expect(locateMatch({ rule: { ...face, flags: "" }, text: "😀" })).toEqual(match(1, 2));
  });

  test("gives up when its budget is spent, rather than say there is none", () => {
    expect(locateMatch({ rule: rule("(a+)+$"), text: `${"a".repeat(60)}!` })).toEqual({ kind: "gaveUp" });
  });
});
