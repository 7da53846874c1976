import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { charSet, complement, includes, intersection, MAX_UNIT, SPACES, union } from "./charset.ts";

const range = fc.tuple(fc.nat(40), fc.nat(5)).map(([lo, length]) => [lo, lo + length]);
const ranges = fc.array(range, { maxLength: 6 }).map((pairs) => pairs.flat());
const chars = Array.from({ length: 60 }, (_, char) => char);
const inside = (list: readonly number[], char: number) =>
  list.some((lo, k) => k % 2 === 0 && char >= lo && char <= (list[k + 1] ?? -1));

describe("charSet()", () => {
  test("holds what its ranges hold, sorted, disjoint and with gaps", () => {
    fc.assert(
      fc.property(ranges, (list) => {
        const set = charSet(list);
        expect(chars.filter((char) => includes(set, char))).toEqual(
          chars.filter((char) => inside(list, char)),
        );
        set.forEach((bound, k) => {
          if (k > 0) expect(bound - (set[k - 1] ?? 0)).toBeGreaterThanOrEqual(k % 2 === 0 ? 2 : 0);
        });
      }),
    );
  });
});

describe("complement(), union() and intersection()", () => {
  test("say of each character what their names say", () => {
    fc.assert(
      fc.property(ranges, ranges, (left, right) => {
        const [a, b] = [charSet(left), charSet(right)];
        const told = chars.map((char) => [
          includes(complement(a, MAX_UNIT), char),
          includes(union([a, b]), char),
          includes(intersection(a, b, MAX_UNIT), char),
        ]);
        const expected = chars.map((char) => [
          !includes(a, char),
          includes(a, char) || includes(b, char),
          includes(a, char) && includes(b, char),
        ]);
        expect(told).toEqual(expected);
      }),
    );
  });
});

test("SPACES is what \\s matches", () => {
  const all = Array.from({ length: MAX_UNIT + 1 }, (_, unit) => unit);
  const native = all.filter((unit) => /\s/.test(String.fromCharCode(unit)));
  expect(all.filter((unit) => includes(SPACES, unit))).toEqual(native);
});
