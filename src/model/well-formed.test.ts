import { expect, test } from "bun:test";
import fc from "fast-check";
import { isObject, parseJson } from "../base/json.ts";
import { wellFormedObject } from "../base/well-formed.ts";
import { type WellFormer, wellFormedJson, wellFormedText } from "./well-formed.ts";

function fed(former: WellFormer, text: string, cuts: readonly number[]): string {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  const pieces = places.slice(1).map((end, at) => former.push(text.slice(places[at], end)));
  return [...pieces, former.end()].join("");
}

const CUTS = fc.array(fc.nat(1_000), { maxLength: 12 });

test("wellFormedText() gives what toWellFormed() gives, however the text is cut", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\ud83d", "\ude00", "😀") });
  fc.assert(
    fc.property(text, CUTS, (whole, cuts) => {
      expect(fed(wellFormedText(), whole, cuts)).toBe(whole.toWellFormed());
    }),
  );
});

const UNITS = [
  "a",
  "u",
  "d83d",
  "\\\\",
  '\\"',
  "\\n",
  "\ud83d",
  "\ude00",
  "\\ud83d",
  "\\uDE00",
  "\\u0041",
  "😀",
];
const jsonString = fc.string({ unit: fc.constantFrom(...UNITS) });

test("wellFormedJson() gives JSON of the value with U+FFFD for halves of pairs, however it is cut", () => {
  fc.assert(
    fc.property(jsonString, jsonString, CUTS, (key, value, cuts) => {
      const json = `{"${key}":["${value}"]}`;
      const given = fed(wellFormedJson(), json, cuts);
      const read = parseJson(json);
      expect(parseJson(given)).toEqual(isObject(read) ? wellFormedObject(read) : read);
      expect(given.isWellFormed()).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test("wellFormedJson() leaves text alone that has no halves of pairs, JSON or not", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "u", "d", "8", "\\", "\\u", "😀", '"') });
  const noHalves = text.filter((each) => !/\\ud[89a-f]../i.test(each));
  fc.assert(
    fc.property(noHalves, CUTS, (whole, cuts) => {
      expect(fed(wellFormedJson(), whole, cuts)).toBe(whole);
    }),
    { numRuns: 1000 },
  );
});
