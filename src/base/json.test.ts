import { expect, test } from "bun:test";
import { parseJson } from "./json.ts";

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

test("parseJson() gives the value of a JSON text, and undefined for any other", () => {
  expect([parseJson('{"a":[1]}'), parseJson("null"), parseJson("{"), parseJson("")]).toEqual([
    { a: [1] },
    null,
    undefined,
    undefined,
  ]);
});

test("parseJson() takes a text that is nested too deep to be written again for none", () => {
  expect(JSON.stringify(parseJson(nested(1_000)))).toBe(nested(1_000));
  expect(parseJson(nested(1_001))).toBe(undefined);
  expect(parseJson(`{"a":${nested(200_000)}}`)).toBe(undefined);
});
