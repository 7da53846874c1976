import { expect, test } from "bun:test";
import { cutAt, oneLine, plural, visibleControls, withoutLast } from "./text.ts";

test("visibleControls() shows terminal escapes and direction overrides, and keeps line feed and tab", () => {
  expect(visibleControls("a\u001b[31mb\tc\nd\u0007\u007f\u009b\u202e")).toBe(
    "a^[[31mb\tc\nd^G^?\\u{9b}\\u{202e}",
  );
});

test("oneLine() folds white space and marks the cut", () => {
  expect(oneLine("  a\n b\tc ", 10)).toBe("a b c");
  expect(oneLine("abcdefghij", 5)).toBe("abcd…");
});

test("cutAt() never splits a surrogate pair", () => {
  expect(cutAt("a😀b", 2)).toBe("a");
  expect(cutAt("a😀b", 3)).toBe("a😀");
});

test("withoutLast() takes off the run of a character at the end, and costs what the text is long", () => {
  expect(["", "  ", "a b", "a b  ", " a \t "].map((text) => withoutLast(text, " "))).toEqual([
    "",
    "",
    "a b",
    "a b",
    " a \t",
  ]);
  const long = `a${" ".repeat(3_000_000)}b`;
  expect(withoutLast(long, " ")).toHaveLength(long.length);
});

test("plural() agrees with its count", () => {
  expect([plural(1, "file"), plural(0, "file"), plural(2, "entry", "entries")]).toEqual([
    "1 file",
    "0 files",
    "2 entries",
  ]);
});
