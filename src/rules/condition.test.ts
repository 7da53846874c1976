import { describe, expect, test } from "bun:test";
import { conditionDoubts, conditionFault, looksLikeGlob } from "./condition.ts";

describe("conditionFault()", () => {
  test.each([
    ["x+", undefined],
    ["(?i)foo$", undefined],
    ["(a", "R001"],
    ["*.ts", "R001"],
    ["a*", "R002"],
  ])("of %s is %p", (condition, code) => {
    expect<string | undefined>(conditionFault(condition)?.code).toBe(code);
  });
});

describe("conditionDoubts()", () => {
  test.each([
    ["x+", []],
    ["(a)\\1", ["R004"]],
    ["(a", []],
  ])("of %s are %p", (condition, codes) => {
    expect<readonly string[]>(conditionDoubts(condition).map(({ code }) => code)).toEqual(codes);
  });
});

describe("looksLikeGlob()", () => {
  test.each([
    ["*.ts", true],
    ["**/*.tsx", true],
    ["**/*.{ts,tsx}", true],
    ["*.{js,ts}", true],
    ["*foo", false],
    ["(a", false],
    ["**", false],
  ])("%s: %p", (text, expected) => {
    expect(looksLikeGlob(text)).toBe(expected);
  });
});
