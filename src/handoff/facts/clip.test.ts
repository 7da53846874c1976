import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { clip, code, middleCut, quote } from "./clip.ts";

describe("clip()", () => {
  test("folds white space and marks a cut", () => {
    expect(clip(" a\n\tb  c ", 10)).toBe("a b c");
    expect(clip("abcdefgh", 5)).toBe("abcd…");
  });

  test("never exceeds its length nor splits a pair", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 80 }),
        fc.integer({ min: 2, max: 60 }),
        (text, max) => {
          const cut = clip(text, max);
          expect(cut.length).toBeLessThanOrEqual(max);
          expect(cut.isWellFormed()).toBe(text.isWellFormed());
        },
      ),
    );
  });
});

test("middleCut() keeps beginning and end", () => {
  expect(middleCut("short", 20)).toBe("short");
  const cut = middleCut(`begin ${"x ".repeat(500)}end`, 60);
  expect(cut).toStartWith("begin x");
  expect(cut).toEndWith("x end");
  expect(cut.length).toBeLessThanOrEqual(64);
});

test("code() survives backticks, quote() defuses fences", () => {
  expect(code("ls")).toBe("`ls`");
  expect(code("echo `date`")).toBe("`` echo `date` ``");
  expect(quote("a ```js b")).toBe("“a ''js b”");
});
