import { expect, test } from "bun:test";
import fc from "fast-check";
import { newLineScan, type StringRange, scanLine } from "./scan.ts";

interface Found {
  readonly outcome: string;
  readonly type: string | undefined;
  readonly id: string | undefined;
  readonly parentId: string | null | undefined;
  readonly escaped: boolean;
}

function scan(line: string): Found {
  const bytes = new TextEncoder().encode(`${line}\n`);
  const found = newLineScan();
  const outcome = scanLine(bytes, 0, bytes.length - 1, found);
  const text = (range: StringRange) =>
    range.start < 0 ? undefined : new TextDecoder().decode(bytes.subarray(range.start, range.end));
  return {
    outcome,
    type: text(found.type),
    id: text(found.id),
    parentId: found.parentIsNull ? null : text(found.parentId),
    escaped: found.escaped,
  };
}

test("scanLine() finds type, id and parentId wherever they stand", () => {
  const expected = { outcome: "whole", type: "message", id: "a1", parentId: "b2", escaped: false };
  expect(scan('{"type":"message","id":"a1","parentId":"b2","message":{"id":"no"}}')).toEqual(expected);
  expect(
    scan('{"message":{"id":"no","x":["}",{"type":1}]},"parentId":"b2","id":"a1","type":"message"}'),
  ).toEqual(expected);
  expect(scan('{ "type" : "message" ,\t"id": "a1", "n": -1.5e+3, "parentId" :"b2" }')).toEqual(expected);
});

test("scanLine() takes the last of members that stand there twice, as JSON.parse does", () => {
  expect(scan('{"id":"a","id":"b","parentId":"x","parentId":null,"type":"t","type":7}')).toEqual({
    outcome: "whole",
    type: undefined,
    id: "b",
    parentId: null,
    escaped: false,
  });
});

test("scanLine() says so when one of the three is written with an escape", () => {
  expect(scan('{"type":"t","id":"a\\u0062"}').escaped).toBe(true);
  expect(scan('{"type":"t","id":"a","text":"\\n"}').escaped).toBe(false);
});

test("scanLine() agrees with JSON.parse on every JSON object", () => {
  const members = fc.record({
    type: fc.oneof(fc.constantFrom("message", "custom"), fc.jsonValue()),
    id: fc.oneof(fc.stringMatching(/^[0-9a-f]{8}$/), fc.jsonValue()),
    parentId: fc.oneof(fc.constant(null), fc.stringMatching(/^[0-9a-f]{8}$/), fc.jsonValue()),
    message: fc.jsonValue(),
  });
  const shuffled = fc.tuple(members, fc.shuffledSubarray(["type", "id", "parentId", "message"] as const));
  fc.assert(
    fc.property(shuffled, fc.constantFrom(0, 1), ([values, keys], indent) => {
      const object = Object.fromEntries(keys.map((key) => [key, values[key]]));
      const line = JSON.stringify(object, null, indent).replaceAll("\n", " ");
      const found = scan(line);
      expect(found.outcome).toBe("whole");
      const string = (value: unknown) => (typeof value === "string" ? value : undefined);
      if (found.escaped) return;
      expect(found.type).toEqual(string(object["type"]));
      expect(found.id).toEqual(string(object["id"]));
      expect(found.parentId).toEqual(object["parentId"] === null ? null : string(object["parentId"]));
    }),
  );
});

test("scanLine() calls no cut of a line whole", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (object, cut) => {
      const bytes = new TextEncoder().encode(JSON.stringify(object));
      const line = bytes.slice(0, cut % bytes.length);
      const ended = new Uint8Array([...line, 10]);
      expect(scanLine(ended, 0, line.length, newLineScan())).not.toBe("whole");
    }),
  );
});

test("scanLine() calls a line torn when it ends too early, and looks no further at what is broken otherwise", () => {
  expect(scan('{"type":"message","id":"a","message":{"text":"half').outcome).toBe("torn");
  expect(scan('{"type":"message","id":"a","message":{}').outcome).toBe("torn");
  expect(scan('{"type":"message","text":"a bad \\escape"}').outcome).toBe("other");
  expect(scan('{"type":"mess{"type":"message"}').outcome).toBe("other");
  expect(scan('{"type":"message"} {}').outcome).toBe("other");
  expect(scan("[1]").outcome).toBe("other");
});
