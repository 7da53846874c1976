import { expect, test } from "bun:test";
import { cutAt, escapedControls, oneLine, plural, visibleControls, withoutLast } from "./text.ts";

test("visibleControls() shows terminal escapes and direction overrides, and keeps line feed and tab", () => {
  expect(visibleControls("a\u001b[31mb\tc\nd\u0007\u007f\u009b\u202e")).toBe(
    "a^[[31mb\tc\nd^G^?\\u{9b}\\u{202e}",
  );
});

test("escapedControls() keeps a name on its line, and what a regular expression means", () => {
  expect(escapedControls("a\nb\r\tc\u001b[1m\u0085\u202e\u2028é\\n")).toBe(
    "a\\nb\\r\\tc\\x1b[1m\\x85\\u202e\\u2028é\\n",
  );
  for (let code = 0; code < 0x2100; code++) {
    const char = String.fromCharCode(code);
    const escaped = escapedControls(char);
    if (escaped !== char) expect([code, new RegExp(`^${escaped}$`).test(char)]).toEqual([code, true]);
  }
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
