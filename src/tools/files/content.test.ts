import { expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import fc from "fast-check";
import { tempDir } from "../../testing/temp.ts";
import { linesOf } from "./content.ts";

function lines(text: string, whole: number): readonly string[] {
  using dir = tempDir();
  const fd = openSync(dir.write("f", text), "r");
  try {
    return [...linesOf(fd, "utf-8", whole)];
  } finally {
    closeSync(fd);
  }
}

test("linesOf() gives every line as it is, however long, if it is told to", () => {
  const parts = fc.array(fc.constantFrom("a", "é", "\n", "\r\n", "x".repeat(65_535), "日".repeat(30_000)), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(parts, (pieces) => {
      const text = pieces.join("");
      const expected = text.split("\n");
      if (expected.at(-1) === "") expected.pop();
      expect(lines(text, Number.POSITIVE_INFINITY)).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test("linesOf() keeps of a line that is longer no more than a chunk beyond", () => {
  const [first = "", ...more] = lines(`${"x".repeat(1_000_000)}\nend\n`, 50_000);
  expect(more).toEqual(["end"]);
  expect(first.length).toBeGreaterThan(50_000);
  expect(first.length).toBeLessThanOrEqual(50_000 + 65_536);
});
