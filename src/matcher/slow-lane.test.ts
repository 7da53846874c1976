// Patterns that need the backtracking engine, in texts that are not short.

import { describe, expect, test } from "bun:test";
import { type Fire, StreamMatcher } from "./matcher.ts";

/** A pattern, prose that wakes it and does not match, and what does match, with the units of it that are needed. */
const LATE: readonly (readonly [string, string, string, number])[] = [
  ["(\\w+)=\\1", "  line 12 of some more prose 34\n", "a=a\n", 3],
  ["([\"'])password\\1", "  line 12 of 'some' more prose \"34\"\n", "'password'\n", 10],
  ["\\b(\\w+) == \\1\\b", "  if (line == 12) some prose 34\n", "x == x\n", 7],
  ["(`{3,})json\\n[^]*?\\n\\1", "some prose with `code` in it\n", "```json\n{}\n```\n", 14],
  ["<<(\\w+)\\n[^]*?\\n\\1\\nrm", "cat <<E\nabc\nE\nls some file here\n", "cat <<E\nx\nE\nrm x", 14],
  ["\\b(the|an) \\1 x", "the quick fox and an end of the\n", "the the x\n", 9],
];

function fed(matcher: StreamMatcher, text: string, size: number): readonly Fire[] {
  const fires: Fire[] = [];
  for (let from = 0; from < text.length; from += size)
    fires.push(...matcher.push(text.slice(from, from + size)));
  return [...fires, ...matcher.end()];
}

describe("StreamMatcher with a backreference", () => {
  test.each(LATE)("finds the match of %s however late it comes", (pattern, prose, match, units) => {
    for (const times of [10, 150, 3000]) {
      const before = prose.repeat(times);
      const matcher = new StreamMatcher([{ id: "late", patterns: [pattern] }]);
      const fires = fed(matcher, before + match + prose, 1000);
      expect(matcher.gaveUp).toEqual([]);
      expect(fires.map(({ at }) => at)).toEqual([before.length + units]);
    }
  });

  test("fires at the same offset in any cut when a check has to be gone on with", () => {
    const text = `${"  line 12 of some more prose 34\n".repeat(1000)}a=a\n${"and more\n".repeat(2000)}`;
    const matcher = new StreamMatcher([{ id: "late", patterns: ["(\\w+)=\\1"] }]);
    const whole = fed(matcher, text, text.length);
    expect(whole).toEqual([{ id: "late", at: 32_003, atEnd: false }]);
    matcher.restart();
    expect(fed(matcher, text, 7)).toEqual(whole);
  });

  test("finds the least offset of several matches that overlap", () => {
    const matcher = new StreamMatcher([{ id: "pair", patterns: ["(a|b).{0,40}\\1!|(c)\\2"] }]);
    expect(fed(matcher, `a${"-".repeat(20)}b--ccb!a!`, 300)).toEqual([{ id: "pair", at: 26, atEnd: true }]);
  });

  test("is looked for again after rearm() when its probe was given up", () => {
    for (const limits of [{ maxThreads: 1 }, { maxSteps: 0 }, { maxSteps: 3 }]) {
      const matcher = new StreamMatcher([{ id: "twice", patterns: ["(a|b)\\1c"] }], limits);
      matcher.push("xx aac ");
      matcher.rearm("twice");
      matcher.push(" bbc ");
      expect(matcher.end()).toEqual([{ id: "twice", at: 11, atEnd: true }]);
    }
  });

  test("counts a high surrogate at the end as not read when it is armed again", () => {
    const rule = { id: "face", patterns: ["(?:😀|(x)\\1)"], flags: "u" };
    const matcher = new StreamMatcher([rule]);
    matcher.push("xx\ud83d");
    matcher.rearm("face");
    matcher.push("\ude00");
    expect(matcher.end()).toEqual([{ id: "face", at: 4, atEnd: true }]);
  });

  test("is given up, and said to be, where every start reads all that follows", () => {
    const matcher = new StreamMatcher([{ id: "here", patterns: ["<<(\\w+)\\n[^]*?\\n\\1\\nrm"] }]);
    expect(fed(matcher, `${"cat <<EOF\nabc\nEOF\nls some file here\n".repeat(800)}\nrm`, 1000)).toEqual([]);
    expect(matcher.gaveUp.map(({ id }) => id)).toEqual(["here"]);
  });

  test("neither begins nor ends inside a surrogate pair under u", () => {
    const never: readonly (readonly [string, string])[] = [
      ["(.)\\1", "\ud83d😀"],
      ["(\ud83d)x\\1", "\ud83dx😀"],
      ["(?<=\\1(\ude00))x", "😀\ude00x"],
    ];
    for (const [pattern, text] of never) {
      const matcher = new StreamMatcher([{ id: "half", patterns: [pattern], flags: "us" }]);
      for (const size of [1, text.length]) {
        matcher.restart();
        expect([pattern, ...fed(matcher, text, size)]).toEqual([pattern]);
      }
    }
    const face = new StreamMatcher([{ id: "face", patterns: ["(.)x\\1"], flags: "u" }]);
    expect(fed(face, "😀x😀", 1)).toEqual([{ id: "face", at: 5, atEnd: true }]);
  });

  test("is not given up because of others that take all there is, in whatever order", () => {
    const hostile = Array.from({ length: 5 }, (_, k) => ({ id: `h${k}`, patterns: [`(\\w)[^]*?\\1#${k}`] }));
    const harmless = { id: "ok", patterns: ["(x|y) == \\1"] };
    const ends = Array.from({ length: 5 }, (_, k) => `?#${k}`).join("");
    const text = `${ends} ${"some prose of no matter 34\n".repeat(75)}x == x ${"and more\n".repeat(60)}`;
    for (const rules of [
      [...hostile, harmless],
      [harmless, ...hostile],
    ]) {
      const matcher = new StreamMatcher(rules);
      expect(fed(matcher, text, 100).map(({ id }) => id)).toContain("ok");
    }
  });

  test("tells the least offset too where another pattern of its rule fires", () => {
    const before = "some prose of no matter\n".repeat(5000);
    const matcher = new StreamMatcher([{ id: "both", patterns: ["TODO", "\\b(\\w+)=\\1;"] }]);
    const fires = fed(matcher, `${before}x=x; - TODO`, 1000);
    expect(fires.map(({ at }) => at)).toEqual([before.length + 4]);
  });

  test("says that it gave up where it is too dear to tell which pattern of a rule matched first", () => {
    const rule = { id: "both", patterns: ["(x+x+)+\\1y(?!$)", "TODO"] };
    const matcher = new StreamMatcher([rule], { checkEvery: 4096 });
    const text = `xxzy${"x".repeat(400)}y TODO`;
    expect(matcher.push(text)).toEqual([{ id: "both", at: text.length, atEnd: false }]);
    expect(matcher.gaveUp).toEqual([{ id: "both", at: text.length }]);
  });
});
