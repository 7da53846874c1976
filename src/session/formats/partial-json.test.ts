import { expect, test } from "bun:test";
import fc from "fast-check";
import { parsePartialJson } from "./partial-json.ts";

test("parsePartialJson() reads what JSON.parse reads", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const read = parsePartialJson(text);
      expect([read.value, read.complete]).toEqual([JSON.parse(text), true]);
    }),
  );
});

test("parsePartialJson() gives the members up to where the text is cut", () => {
  expect([
    parsePartialJson('{"a":1,"b":{"c":[1,2,"thr'),
    parsePartialJson('{"a":"x\\'),
    parsePartialJson('{"a":"x\\u00'),
    parsePartialJson('{"a":1,"b":tru'),
    parsePartialJson('{"a":1,"b'),
    parsePartialJson('  {"a":1} rest'),
    parsePartialJson("[{},"),
    parsePartialJson(""),
  ]).toEqual([
    { value: { a: 1, b: { c: [1, 2, "thr"] } }, end: 25, complete: false },
    { value: { a: "x" }, end: 8, complete: false },
    { value: { a: "x" }, end: 11, complete: false },
    { value: { a: 1 }, end: 11, complete: false },
    { value: { a: 1 }, end: 9, complete: false },
    { value: { a: 1 }, end: 9, complete: true },
    { value: [{}], end: 4, complete: false },
    { value: undefined, end: 0, complete: false },
  ]);
});

test("parsePartialJson() never throws and never claims a broken text for whole", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 3 }), (text, at, junk) => {
      const cut = at % (text.length + 1);
      const broken = text.slice(0, cut) + junk + text.slice(cut);
      const read = parsePartialJson(broken);
      if (read.complete) expect(JSON.parse(broken.slice(0, read.end))).toEqual(read.value as never);
    }),
  );
});

test("parsePartialJson() ends at a depth that no session has instead of overflowing the stack", () => {
  expect(parsePartialJson("[".repeat(100_000)).complete).toBe(false);
  expect(parsePartialJson('{"a":'.repeat(100_000)).complete).toBe(false);
});
