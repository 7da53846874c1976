import { expect, test } from "bun:test";
import { includes } from "./charset.ts";
import { isLeaf, leafSet } from "./leaf.ts";
import { overPoints, parsePattern } from "./pattern.ts";

/** Leaves with the flags under which each is tried. */
const LEAVES: readonly (readonly [string, readonly string[]])[] = [
  [".", ["", "s", "u", "su"]],
  ["\\w", ["", "i", "u", "iu", "iv"]],
  ["\\W", ["", "i", "u", "iu", "iv"]],
  ["\\S", ["", "u"]],
  ["k", ["", "i", "iu"]],
  ["ſ", ["", "i", "iu"]],
  ["ß", ["i", "iu"]],
  ["Σ", ["i", "iu"]],
  ["İ", ["i", "iu"]],
  ["[^x]", ["", "i", "iu"]],
  ["[Z-a]", ["", "i", "iu"]],
  ["[^\\Wk]", ["", "i", "u"]],
  ["[à-ö]", ["", "i", "iu"]],
  ["\\p{Lu}", ["u", "iu", "v"]],
  ["\\P{Lu}", ["u", "v"]],
  ["[^\\p{L}\\d]", ["u", "v"]],
  ["[\\p{L}--[a-z]]", ["v", "iv"]],
  ["[\\w&&[^aeiou]]", ["v"]],
  ["[]", ["", "u"]],
  ["[^]", ["", "u"]],
];

/** Everything that has case, a surrogate of each kind, and a few astral characters. */
const SAMPLE = [
  ...Array.from({ length: 0x600 }, (_, char) => char),
  ...Array.from({ length: 0x100 }, (_, k) => 0x1e00 + k),
  ...[0x2028, 0x2029, 0x212a, 0x212b, 0xd83d, 0xde00, 0xfeff, 0xffff, 0x10400, 0x10428, 0x1f600, 0x10ffff],
];

for (const [source, flagList] of LEAVES) {
  for (const flags of flagList) {
    test(`leafSet() holds what /${source}/${flags} matches`, () => {
      const pattern = parsePattern(source, flags);
      const [element] = pattern.ast.alternatives[0]?.elements ?? [];
      if (element === undefined || !isLeaf(element)) throw new Error(`${source} is no leaf`);
      const set = leafSet(element, pattern.flags);
      const native = new RegExp(`^${source}$`, flags);
      const sample = overPoints(pattern.flags) ? SAMPLE : SAMPLE.filter((char) => char <= 0xffff);
      const told = sample.filter((char) => includes(set, char));
      expect(told).toEqual(sample.filter((char) => native.test(String.fromCodePoint(char))));
    });
  }
}
