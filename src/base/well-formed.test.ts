import { expect, test } from "bun:test";
import fc from "fast-check";
import { isObject, parseJson } from "./json.ts";
import { jsonText, wellFormedObject } from "./well-formed.ts";

const text = fc.string({
  unit: fc.constantFrom("a", "\\", "u", "d", "8", "0", '"', "\ud83d", "\ude00", "\u2028", "\n", "😀"),
});
const object = fc.dictionary(text, fc.oneof(text, fc.array(text), fc.dictionary(text, text), fc.integer()));

test("wellFormedObject() makes U+FFFD of halves of pairs, in keys and at any depth, and leaves pairs", () => {
  expect(wellFormedObject({ "\ud800": ["\ude00a", { b: "😀", c: 1, d: null }] })).toEqual({
    "\ufffd": ["\ufffda", { b: "😀", c: 1, d: null }],
  });
});

test("jsonText() gives one line that reads as the value, with U+FFFD for halves of pairs", () => {
  fc.assert(
    fc.property(object, (value) => {
      const line = jsonText(value);
      const read = parseJson(line);
      expect(isObject(read) && wellFormedObject(read)).toEqual(wellFormedObject(value));
      expect(JSON.stringify(read)).toBe(JSON.stringify(wellFormedObject(isObject(read) ? read : {})));
      expect(line).not.toMatch(/[\n\u2028\u2029]/);
    }),
  );
});
