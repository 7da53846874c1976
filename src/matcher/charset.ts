// Sets of characters as sorted ranges, and their algebra. A set is a flat list `lo, hi, lo, hi, …` of inclusive
// bounds: ascending, disjoint, and with a gap between neighbours, so that equal sets are equal lists.

/** A set of characters: UTF-16 units for patterns without `u` and `v`, code points otherwise. */
export type CharSet = readonly number[];

export const MAX_UNIT = 0xffff;
export const MAX_POINT = 0x10ffff;

export const DIGITS: CharSet = [0x30, 0x39];
export const WORD: CharSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
/** What `\w` is under `iu` and `iv`: U+017F and U+212A fold to `s` and `k`. */
export const WORD_FOLDED: CharSet = [...WORD, 0x17f, 0x17f, 0x212a, 0x212a];
export const LINE_ENDS: CharSet = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029];
/** `\s`: ECMAScript's WhiteSpace and LineTerminator. */
export const SPACES: CharSet = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
].flat();

/** The set of any ranges, in any order, that may overlap. */
export function charSet(ranges: readonly number[]): CharSet {
  const pairs: [number, number][] = [];
  for (let k = 0; k < ranges.length; k += 2) pairs.push([ranges[k] ?? 0, ranges[k + 1] ?? 0]);
  pairs.sort((a, b) => a[0] - b[0]);
  const set: number[] = [];
  for (const [lo, hi] of pairs) {
    const last = set.at(-1);
    if (last === undefined || lo > last + 1) set.push(lo, hi);
    else if (hi > last) set[set.length - 1] = hi;
  }
  return set;
}

export function union(sets: readonly CharSet[]): CharSet {
  return sets.length === 1 ? (sets[0] ?? []) : charSet(sets.flat());
}

/** Everything from 0 to `max` that is not in the set. */
export function complement(set: CharSet, max: number): CharSet {
  const rest: number[] = [];
  let from = 0;
  for (let k = 0; k < set.length; k += 2) {
    const lo = set[k] ?? 0;
    if (lo > from) rest.push(from, lo - 1);
    from = (set[k + 1] ?? 0) + 1;
  }
  if (from <= max) rest.push(from, max);
  return rest;
}

export function intersection(a: CharSet, b: CharSet, max: number): CharSet {
  return complement(union([complement(a, max), complement(b, max)]), max);
}

export function includes(set: CharSet, char: number): boolean {
  let lo = 0;
  let hi = set.length >> 1;
  while (lo < hi) {
    const middle = (lo + hi) >> 1;
    if (char > (set[2 * middle + 1] ?? 0)) lo = middle + 1;
    else hi = middle;
  }
  return 2 * lo < set.length && char >= (set[2 * lo] ?? 0);
}
