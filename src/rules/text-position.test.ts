import { expect, test } from "bun:test";
import fc from "fast-check";
import { advance, TEXT_START } from "./text-position.ts";

test.each([
  ["", 0, 1, 1],
  ["abc", 2, 1, 3],
  ["a\nb", 2, 2, 1],
  ["a\n\nb", 3, 3, 1],
  ["a\r\nb", 3, 2, 1],
  ["😀x", 2, 1, 3],
])("advance() over %j to %i is line %i, column %i", (text, end, line, column) => {
  expect(advance(TEXT_START, text, end)).toEqual({ line, column });
});

test("advance() by pieces comes to where it comes at once", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\n"), maxLength: 20 });
  fc.assert(
    fc.property(text, text, (first, second) => {
      expect(advance(advance(TEXT_START, first), second)).toEqual(advance(TEXT_START, first + second));
    }),
  );
});
