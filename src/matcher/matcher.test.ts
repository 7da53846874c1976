import { describe, expect, test } from "bun:test";
import { type Fire, StreamMatcher } from "./matcher.ts";
import { PatternError } from "./pattern.ts";

const rule = (id: string, ...patterns: string[]) => ({ id, patterns });
const fire = (id: string, at: number, atEnd = false): Fire => ({ id, at, atEnd });

describe("StreamMatcher", () => {
  test("does what the example of its description says", () => {
    const matcher = new StreamMatcher([{ id: "no-any", patterns: [": any\\b"] }]);
    expect(matcher.push("let x: an")).toEqual([]);
    expect(matcher.push("y = 1")).toEqual([{ id: "no-any", at: 11, atEnd: false }]);
    expect(matcher.end()).toEqual([]);
    matcher.restart();
    expect(matcher.push(": any.")).toEqual([{ id: "no-any", at: 6, atEnd: false }]);
  });

  test("push() fires where one path alone is certain, if late where only two together are", () => {
    const matcher = new StreamMatcher([rule("either", "foo\\b|foo\\w"), rule("first", "foo.*bar")]);
    expect(matcher.push("foox bar bar")).toEqual([fire("either", 4), fire("first", 8)]);
  });

  test("push() gives fires by offset, then by the order of the rules", () => {
    const matcher = new StreamMatcher([rule("late", "c"), rule("first", "b"), rule("second", "a?b")]);
    expect(matcher.push("abc")).toEqual([fire("first", 2), fire("second", 2), fire("late", 3)]);
  });

  test("push() fires a rule once in a stream, and again after restart()", () => {
    const matcher = new StreamMatcher([rule("a", "a")]);
    expect([...matcher.push("aa"), ...matcher.push("a")]).toEqual([fire("a", 1)]);
    matcher.restart();
    expect(matcher.push("xa")).toEqual([fire("a", 2)]);
  });

  test("push() takes empty chunks anywhere", () => {
    const matcher = new StreamMatcher([rule("ab", "ab")]);
    expect(matcher.push("")).toEqual([]);
    expect(matcher.push("a")).toEqual([]);
    expect(matcher.push("")).toEqual([]);
    expect(matcher.push("b")).toEqual([fire("ab", 2)]);
  });

  test("push() takes a surrogate pair that two chunks share", () => {
    const matcher = new StreamMatcher([{ id: "face", patterns: ["^😀$"], flags: "u" }]);
    expect([...matcher.push("\ud83d"), ...matcher.push("\ude00")]).toEqual([]);
    expect(matcher.end()).toEqual([fire("face", 2, true)]);
  });

  test("push() gives a rule that needs no text in the first push, whatever it holds", () => {
    const matcher = new StreamMatcher([rule("empty", "a*")]);
    expect(matcher.push("")).toEqual([fire("empty", 0)]);
  });

  test("end() says atEnd of what it decides alone", () => {
    const matcher = new StreamMatcher([rule("empty", "a?"), rule("end", "$")]);
    expect(matcher.end()).toEqual([fire("empty", 0), fire("end", 0, true)]);
  });

  test("pushUntilFire() reads nothing from behind the chunk on", () => {
    expect(new StreamMatcher([rule("a", "a")]).pushUntilFire("aaa", 10)).toEqual({ fires: [], read: 0 });
  });

  test("push() and end() give nothing more after end()", () => {
    const matcher = new StreamMatcher([rule("a", "a"), rule("end", "$")]);
    expect(matcher.end()).toEqual([fire("end", 0, true)]);
    expect(matcher.push("a")).toEqual([]);
    expect(matcher.end()).toEqual([]);
  });

  test("end() is not needed: a stream that is cut off does not fire what only the end decides", () => {
    const matcher = new StreamMatcher([rule("any", "\\bany\\b")]);
    expect(matcher.push("any")).toEqual([]);
    matcher.restart();
    expect(matcher.push("thing")).toEqual([]);
  });

  test("pushUntilFire() stops behind the unit that fires", () => {
    const matcher = new StreamMatcher([rule("a", "a"), rule("b", "b")]);
    expect(matcher.pushUntilFire("xaxb")).toEqual({ fires: [fire("a", 2)], read: 2 });
    expect(matcher.pushUntilFire("xaxb", 2)).toEqual({ fires: [fire("b", 4)], read: 2 });
    expect(matcher.pushUntilFire("xx")).toEqual({ fires: [], read: 2 });
  });

  test("rearm() lets a rule fire again on matches that begin from here on", () => {
    const matcher = new StreamMatcher([rule("aba", "aba")]);
    expect(matcher.push("aba")).toEqual([fire("aba", 3)]);
    matcher.rearm("aba");
    expect(matcher.push("ba")).toEqual([]);
    expect(matcher.push("ba")).toEqual([fire("aba", 7)]);
  });

  test("rearm() keeps the text before as context", () => {
    const matcher = new StreamMatcher([rule("after", "(?<=a)b"), rule("edge", "\\bb")]);
    matcher.push("ab");
    matcher.rearm("after");
    matcher.rearm("edge");
    expect(matcher.push("ab b")).toEqual([fire("after", 4), fire("edge", 6)]);
  });

  test("rearm() arms a slow rule from here on", () => {
    const matcher = new StreamMatcher([rule("twice", "(\\w)\\1")], { checkEvery: 4 });
    expect(matcher.push("xaab")).toEqual([fire("twice", 3)]);
    matcher.rearm("twice");
    expect(matcher.push("bbcd")).toEqual([fire("twice", 6)]);
  });

  test("the constructor names the rule, the pattern and the place of a fault", () => {
    const build = () => new StreamMatcher([rule("ok", "a"), rule("bad", "a(b")]);
    expect(build).toThrow(new PatternError('Rule "bad", pattern /a(b/: Unterminated group', 3));
  });

  test("a rule fires at the least offset of its patterns, slow ones included", () => {
    const matcher = new StreamMatcher([rule("mixed", "(x)\\1", "stop")]);
    expect(matcher.push("a xx stop")).toEqual([fire("mixed", 4)]);
  });
});

describe("StreamMatcher.idleFrom", () => {
  test("is what has been read while nothing is under way", () => {
    const matcher = new StreamMatcher([rule("bar", "bar")]);
    matcher.push("foo ");
    expect(matcher.idleFrom).toBe(4);
  });

  test("is where the oldest match under way began", () => {
    const matcher = new StreamMatcher([rule("bar", "bar"), rule("long", "o[^]*!")]);
    matcher.push("x ba");
    expect(matcher.idleFrom).toBe(2);
    matcher.push("z fo bar");
    expect(matcher.idleFrom).toBe(7);
  });

  test("forgets a match that has died, and a rule that has fired", () => {
    const matcher = new StreamMatcher([rule("a", "a+!"), rule("b", "b[^]*c")]);
    matcher.push("baa");
    expect(matcher.idleFrom).toBe(0);
    matcher.push("c");
    expect(matcher.idleFrom).toBe(4);
  });

  test("knows what a counter holds", () => {
    const matcher = new StreamMatcher([rule("counted", "x[^y]{20}z")]);
    matcher.push("..x....x");
    expect(matcher.idleFrom).toBe(2);
    matcher.push(".".repeat(16));
    expect(matcher.idleFrom).toBe(7);
    matcher.push("y");
    expect(matcher.idleFrom).toBe(25);
  });

  test("holds a lone high surrogate back", () => {
    const matcher = new StreamMatcher([{ id: "face", patterns: ["😀"], flags: "u" }]);
    matcher.push("ab\ud83d");
    expect(matcher.idleFrom).toBe(2);
    matcher.push("x");
    expect(matcher.idleFrom).toBe(4);
  });
});

describe("StreamMatcher.gaveUp", () => {
  const hopeless = rule("hopeless", "(x+x+)+\\1y");

  test("names a rule whose budget is spent, and others go on", () => {
    const matcher = new StreamMatcher([hopeless, rule("end", "!")]);
    expect(matcher.push(`xxzy${"x".repeat(800)}!`)).toEqual([fire("end", 805)]);
    expect(matcher.end()).toEqual([]);
    expect(matcher.gaveUp).toEqual([{ id: "hopeless", at: 512 }]);
  });

  test("is empty again after restart()", () => {
    const matcher = new StreamMatcher([hopeless]);
    matcher.push(`xxzy${"x".repeat(800)}`);
    expect(matcher.gaveUp).toHaveLength(1);
    matcher.restart();
    expect(matcher.gaveUp).toEqual([]);
    matcher.push("xxxxy");
    expect(matcher.end()).toEqual([fire("hopeless", 5, true)]);
  });
});
