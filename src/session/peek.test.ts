import { expect, test } from "bun:test";
import fc from "fast-check";
import { findMember, isString } from "./peek.ts";

/** Whether the first member of that name is that string, told by the bytes. */
function has(line: string, name: string, text: string): boolean {
  const encoder = new TextEncoder();
  const bytes = encoder.encode(`${line}\n`);
  return isString(bytes, findMember(bytes, 0, encoder.encode(name)), encoder.encode(text));
}

test("findMember() finds the member that JSON.parse finds", () => {
  const value = fc.oneof(fc.stringMatching(/^[a-z {}[\]:,]*$/), fc.jsonValue());
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("a", "b", "role", "content", ""), value), (object) => {
      const line = JSON.stringify(object);
      const role = object["role"];
      const isPlain = typeof role === "string" && !JSON.stringify(role).includes("\\");
      if (isPlain) expect(has(line, "role", role)).toBe(true);
      expect(has(line, "role", "another")).toBe(role === "another");
    }),
  );
});

test("findMember() ends on any cut of a line", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
      const line = JSON.stringify({ content: value, stopReason: "stop" });
      has(line.slice(0, cut % line.length), "stopReason", "stop");
    }),
  );
});

test("isString() tells a plain string from everything else", () => {
  expect(has('{"role" : "user"}', "role", "user")).toBe(true);
  expect(has('{"role":"users"}', "role", "user")).toBe(false);
  expect(has('{"role":"us\\u0065r"}', "role", "user")).toBe(false);
  expect(has('{"role":7}', "role", "7")).toBe(false);
  expect(has('[{"role":"user"}]', "role", "user")).toBe(false);
  expect(has('{"a":{"role":"user"}}', "role", "user")).toBe(false);
});
