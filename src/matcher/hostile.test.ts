// Patterns and texts made to hurt: each must be decided, or given up in so many words.

import { describe, expect, test } from "bun:test";
import { feed } from "./fuzz/properties.ts";
import { type Fire, StreamMatcher } from "./matcher.ts";
import type { MatcherOptions } from "./options.ts";
import { PatternError } from "./pattern.ts";

const matcherOf = (pattern: string, flags = "", options: MatcherOptions = {}) =>
  new StreamMatcher([{ id: "rule", patterns: [pattern], flags }], options);
const fire = (at: number, atEnd = false): Fire => ({ id: "rule", at, atEnd });

describe("StreamMatcher decides", () => {
  test("thousands of alternatives", () => {
    const words = Array.from({ length: 5000 }, (_, k) => `word${k}x`);
    const matcher = matcherOf(words.join("|"));
    expect(feed(matcher, ["word49", "99 word4999x word1x"])).toEqual([fire(18)]);
    expect(matcher.gaveUp).toEqual([]);
  });

  test("nested quantifiers that take a backtracking engine for ever", () => {
    for (const pattern of ["^(a+)+$", "(a*)*b", "^(a|aa)+$", "(?:(?:a+)+b|a!)"]) {
      const matcher = matcherOf(pattern);
      const matched = pattern.endsWith("a!)");
      expect(feed(matcher, ["a".repeat(5000), "!"])).toEqual(matched ? [fire(5001)] : []);
      expect(matcher.gaveUp).toEqual([]);
    }
  });

  test("groups 200 deep, and refuses 10,000", () => {
    const nested = (depth: number) => `${"(?:".repeat(depth)}a${")+".repeat(depth)}b`;
    expect(feed(matcherOf(nested(200)), ["aaab"])).toEqual([fire(4)]);
    expect(() => matcherOf(nested(10_000))).toThrow(PatternError);
  });

  test("counters in the thousands exactly", () => {
    const matcher = matcherOf("^a{5000}b");
    for (const length of [4999, 5000, 5001]) {
      const text = `${"a".repeat(length)}b`;
      expect(feed(matcher, [text])).toEqual(length === 5000 ? [fire(5001)] : []);
    }
  });

  test("overlapping counters, each from its own beginning", () => {
    const matcher = matcherOf("x[^z]{20}y");
    const text = `x${"-".repeat(9)}x${"-".repeat(8)}xy${"-".repeat(10)}yy`;
    expect(/x[^z]{20}y/.exec(text)?.index).toBe(10);
    expect(feed(matcher, [...text])).toEqual([fire(32)]);
  });

  test("a repetition of nothing, however often", () => {
    expect(feed(matcherOf("(?:){1000000000}a"), ["a"])).toEqual([fire(1)]);
    expect(feed(matcherOf("(?:^){1000000}(a)\\1"), ["aa"])).toEqual([fire(2, true)]);
  });

  test("a counter too large for any automaton, by the backtracking engine", () => {
    const matcher = matcherOf("(?:ab){100000}|end");
    expect(feed(matcher, ["abab end"])).toEqual([fire(8, true)]);
  });

  test("lone surrogates and pairs cut anywhere", () => {
    const text = "\ud83d\ud83d\ude00\ude00\ud83d";
    for (const size of [1, 2, 3, 5]) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, k) =>
        text.slice(k * size, (k + 1) * size),
      );
      expect(feed(matcherOf("^..\\ude00.$", "u"), chunks)).toEqual([fire(5, true)]);
      expect(feed(matcherOf("^.{5}$"), chunks)).toEqual([fire(5, true)]);
    }
  });
});

describe("StreamMatcher stays within its limits", () => {
  const manyThreads = "(?:a(?=[^]{0,12}b)|a(?![^]{3}c)|[ab])*d";

  test("handing a rule that needs too many threads to the backtracking engine, with the text so far", () => {
    const roomy = matcherOf(manyThreads);
    const tight = matcherOf(manyThreads, "", { maxThreads: 4 });
    for (const text of ["aabab", "abaabd", "babababaaad!", "aaaaaaaaaaaaaaad"]) {
      const offsets = (matcher: StreamMatcher) => feed(matcher, [...text]).map(({ at }) => at);
      expect(offsets(tight)).toEqual(offsets(roomy));
    }
  });

  test("with a cache of a few states", () => {
    const patterns = ["\\b(?:const|let)\\s+\\w+\\s*=", "x[^y]{20}z", "(?<!a)b(?!c)"];
    const rules = patterns.map((pattern, k) => ({ id: `${k}`, patterns: [pattern] }));
    const text = "ab abc const  answer = x-------------------- z ab b";
    const roomy = feed(new StreamMatcher(rules), [text]);
    expect(feed(new StreamMatcher(rules, { maxStates: 1 }), [...text])).toEqual(roomy);
    expect(feed(new StreamMatcher(rules, { maxBytes: 0 }), [...text])).toEqual(roomy);
    expect(roomy.length).toBe(2);
  });

  test("over several machines when states multiply", () => {
    const rules = Array.from({ length: 12 }, (_, k) => ({
      id: `${k}`,
      patterns: [`${String.fromCharCode(97 + k)}[^]*${String.fromCharCode(65 + k)}`],
    }));
    const text = Array.from({ length: 4000 }, (_, k) => String.fromCharCode(97 + ((k * k) % 13))).join("");
    const tight = new StreamMatcher(rules, { maxStates: 8 });
    const expected = feed(new StreamMatcher(rules), [text, "CAB"]);
    expect(feed(tight, [...text, "CAB"])).toEqual(expected);
    expect(feed(tight, [...text, "CAB"])).toEqual(expected);
    expect(expected.length).toBeGreaterThan(1);
  });

  test("at zero, which is the least of them, and refuses what is no limit", () => {
    const least = { maxStates: 0, maxBytes: 0, maxMachines: 0, checkEvery: 0 };
    expect(feed(matcherOf("(a)\\1|b{20}", "", least), ["aa"])).toEqual([fire(2)]);
    expect(feed(matcherOf("a[^]*b", "", { ...least, maxThreads: 0 }), [..."xab"])).toEqual([fire(3)]);
    expect(() => matcherOf("a", "", { maxStates: Number.NaN })).toThrow(RangeError);
    expect(() => matcherOf("a", "", { stepsPerUnit: -1 })).toThrow(RangeError);
  });
});
