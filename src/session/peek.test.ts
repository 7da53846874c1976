import { expect, test } from "bun:test";
import fc from "fast-check";
import { findMember, stringFrom } from "./peek.ts";

function member(line: string, name: string): string | undefined {
  const bytes = new TextEncoder().encode(`${line}\n`);
  return stringFrom(bytes, findMember(bytes, 0, new TextEncoder().encode(name)));
}

test("findMember() finds the member that JSON.parse finds", () => {
  const value = fc.oneof(fc.stringMatching(/^[a-z {}[\]:,]*$/), fc.jsonValue());
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("a", "b", "role", "content", ""), value), (object) => {
      const line = JSON.stringify(object);
      const role = object["role"];
      const plain = typeof role === "string" && !JSON.stringify(role).includes("\\") ? role : undefined;
      expect(member(line, "role")).toBe(plain);
    }),
  );
});

test("findMember() ends on any cut of a line", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
      const line = JSON.stringify({ content: value, stopReason: "stop" });
      member(line.slice(0, cut % line.length), "stopReason");
    }),
  );
});

test("stringFrom() gives nothing for what is no plain string", () => {
  expect(member('{"role" : "user"}', "role")).toBe("user");
  expect(member('{"role":"us\\u0065r"}', "role")).toBeUndefined();
  expect(member('{"role":7}', "role")).toBeUndefined();
  expect(member('[{"role":"user"}]', "role")).toBeUndefined();
});
