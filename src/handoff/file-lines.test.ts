import { expect, test } from "bun:test";
import type { FileFact } from "./facts/facts.ts";
import { fileLines } from "./file-lines.ts";

const changed = (n: number): FileFact => ({
  path: `src/${n}.ts`,
  reads: 0,
  writes: 0,
  edits: 1,
  deleted: n === 8,
  entryId: `0000000${n}`,
});

test("fileLines() puts the latest files on lines of their own, the others on one", () => {
  const lines = fileLines([1, 2, 3, 4, 5, 6, 7, 8].map(changed));
  const shown = lines.filter((line) => line.place === "done").map((line) => line.text);
  expect(shown.slice(0, 2)).toEqual(["`src/1.ts` 1 edit [00000001]", "`src/2.ts` 1 edit [00000002]"]);
  expect(shown.at(-1)).toBe(
    "Also changed: `src/5.ts`, `src/6.ts`, `src/7.ts`, `src/8.ts` deleted [00000005 … 00000008]",
  );
  expect(lines.filter((line) => line.group === "Files changed")).toHaveLength(8);
});
