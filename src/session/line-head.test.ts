import { expect, test } from "bun:test";
import fc from "fast-check";
import { scanHead } from "./line-head.ts";
import { newLineScan, scanLine } from "./scan.ts";

function scans(line: string) {
  const bytes = new TextEncoder().encode(`before\n${line}\nafter`);
  const end = bytes.length - 6;
  const [head, whole] = [newLineScan(), newLineScan()];
  return {
    found: scanHead(bytes, 7, end, head),
    outcome: scanLine(bytes, 7, end, whole),
    head: [head.type, head.id, head.parentId.start, head.parentIsNull],
    whole: [whole.type, whole.id, whole.parentId.start, whole.parentIsNull],
  };
}

const id = fc.oneof(fc.stringMatching(/^[0-9a-f]{8}$/), fc.string(), fc.constant(""));

test("scanHead() finds what scanLine() finds in every line that begins with the three", () => {
  fc.assert(
    fc.property(
      fc.record({ type: id, id, parentId: fc.option(id) }),
      fc.dictionary(fc.string(), fc.jsonValue()),
      ({ type, id, parentId }, more) => {
        const { type: _t, id: _i, parentId: _p, ...rest } = more;
        const line = JSON.stringify({ type, id, parentId, ...rest });
        const { found, outcome, head, whole } = scans(line);
        // An escape in one of them is left to a parser.
        const plain = !JSON.stringify([type, id, parentId]).includes("\\");
        // A member of a number's name stands before the others.
        if (line.startsWith('{"type":')) expect([outcome, found]).toEqual(["whole", plain]);
        if (found) expect(head).toEqual(whole);
      },
    ),
  );
});

test("scanHead() leaves every line to scanLine() that does not begin with the three, or does not end as an object", () => {
  for (const line of [
    '{"id":"a","type":"message","parentId":null}',
    '{"type": "message","id":"a","parentId":null}',
    '{"type":"message","id":"a","timestamp":"t","parentId":null}',
    '{"type":"message","id":7,"parentId":null}',
    '{"type":"message","id":"a","parentId":7}',
    '{"type":"message","id":"a","parentId":nullx}',
    '{"type":"message","id":"a","parentId":"b"x}',
    '{"type":"message","id":"a\\u0062","parentId":null}',
    '{"type":"message","id":"a","parentId":null,"message":{"text":"half',
    '{"type":"message","id":"a","parentId":null} ',
    '{"type":"message","id":"a","parentId":"b}',
    '{"type":"message"}',
    "}",
    "",
  ])
    expect(scans(line).found).toBe(false);
});
