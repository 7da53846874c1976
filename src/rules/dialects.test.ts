import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { diagnosePattern } from "../matcher/diagnose.ts";
import { foreignForms } from "./dialects.ts";
import { tokensOf } from "./pattern-tokens.ts";

/** Forms and advice, as `form: advice`. */
const told = (condition: string) => foreignForms(condition).map((form) => `${form.written}: ${form.advice}`);

describe("foreignForms()", () => {
  test.each([
    ["foo\\Z", ["\\Z: write $"]],
    ["\\Afoo\\z", ["\\A: write ^", "\\z: write $"]],
    ["(?m)\\Afoo\\z", ["\\A: write (?<![\\s\\S])", "\\z: write $(?![\\s\\S])"]],
    ["[[:alpha:]_]+", ["[:alpha:]: write a-zA-Z"]],
    ["[:digit:]x", ["[:digit:]: write [0-9]"]],
    ["\\h+x[\\h]", ["\\h: write [ \\t]"]],
    ["[\\h\\A]", ["\\h: write a space and \\t", "\\A: write A, if the letter is meant"]],
    ["\\jx", ["\\j: write j, if the letter is meant"]],
    ["\\p{L}x", ["\\p{L}: write (?u) at the beginning, as in (?u)\\p{L}"]],
    [
      "\\x{41}\\u{1F600}",
      ["\\x{41}: write \\u0041", "\\u{1F600}: write (?u) at the beginning and \\u{1F600}"],
    ],
    ["\\x4", ["\\x: write two hexadecimal digits after it"]],
    ["(?:a)\\1", ["\\1: there is no group 1: put what is meant in ( )"]],
    ["\\k<n>", ["\\k: name a group: (?<name>…) and \\k<name>"]],
    ["[a-z&&[^b]]", ["&&[: write a lookahead before the set: (?![b])[a-z]"]],
    ["[]abc]", ["[]: write [\\]…] if it begins with ]"]],
    ["a{,3}b", ["{,3}: write {0,3}"]],
    ["/foo/gi", ["/…/gi: write (?i)foo"]],
    ["/^foo/", ["/…/: write ^foo"]],
  ])("names what %s has that is read as something else", (condition, forms) => {
    expect(diagnosePattern(condition).kind).toBe("usable");
    expect(foreignForms(condition).every(({ readAs }) => readAs !== "")).toBe(true);
    expect(told(condition)).toEqual([...forms]);
  });

  test.each([
    ["(?P<n>x)(?P=n)", ["(?P<n>…): write (?<n>…)", "(?P=n): write \\k<n>"]],
    ["(?'n'x)", ["(?'n'…): write (?<n>…)"]],
    ["a++", ["++: write + alone: time is linear without it"]],
    ["[^x]{2,3}+", ["{2,3}+: write {2,3} alone: time is linear without it"]],
    ["(?>a)", ["(?>…): write (?:…)"]],
    ["(?#why)a", ["(?#why): leave the comment out"]],
    ["a(?i)b", ["(?i): write it once, at the very beginning, or (?i:…) around a part"]],
    [
      "(?x)a",
      ["(?x): the flags are i, m, s and u, as (?im) at the very beginning; i, m and s also as (?im:…)"],
    ],
    ["(?1)", ["(?1): write out what it stands for"]],
  ])("names what keeps %s from compiling", (condition, forms) => {
    expect(diagnosePattern(condition).kind).toBe("invalid");
    expect(told(condition)).toEqual([...forms]);
  });

  test.each([
    "(?i)\\bfoo\\b\\d{2}\\s*\\/\\-\\.",
    "(?i:foo)x(?-i:y)(?i-s:z)",
    "(?<n>a)\\k<n>(b)\\2",
    "(?<=a)b(?<!c)d(?=e)f(?!g)",
    "(?u)\\p{Lu}\\u{1F600}",
    "[+*+]+\\++[^]+?[\\]]",
    "\\cA\\0\\x41\\u0041[\\b]",
    "/usr/lib",
    "/static/img",
    "/(?:tmp|var)/",
    "x{,}",
  ])("finds nothing in %s", (condition) => {
    expect(diagnosePattern(condition).kind).toBe("usable");
    expect(told(condition)).toEqual([]);
  });
});

test("foreignForms() is done in time with a condition that never closes what it opens", () => {
  for (const opened of ["\\p{", "(?#", "(?<a", "(?'a"]) {
    expect(foreignForms(opened.repeat(100_000)).length).toBeLessThan(2);
  }
});

test("tokensOf() gives the pieces of whatever stands there", () => {
  fc.assert(
    fc.property(fc.string(), (source) => {
      expect(
        tokensOf(source)
          .map(({ text }) => text)
          .join(""),
      ).toBe(source);
    }),
  );
});
