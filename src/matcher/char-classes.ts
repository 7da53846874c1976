// Characters that no set of the automaton tells apart are one class; the automaton's table has a column a class.

import { type CharSet, includes, LINE_ENDS, MAX_POINT, MAX_UNIT, WORD, WORD_FOLDED } from "./charset.ts";
import { FOLDED_WORD_CHAR, LINE_BREAK, type Nfa, WORD_CHAR } from "./nfa.ts";

export interface CharClasses {
  readonly count: number;
  /** The class of each UTF-16 unit, or of each code point below 65,536. */
  readonly ofUnit: Uint16Array;
  /** The class of any code point. */
  readonly ofPoint: (point: number) => number;
  /** Which classes are in which set, a bit each; see `isMember`. */
  readonly members: Uint32Array;
  /** What guards may ask about a character of the class: a sum of LINE_BREAK, WORD_CHAR and FOLDED_WORD_CHAR. */
  readonly kinds: Uint8Array;
}

/** Whether the characters of a class are in the automaton's set of that number. */
export function isMember({ members, count }: CharClasses, set: number, cls: number): boolean {
  return (((members[set * wordsFor(count) + (cls >>> 5)] ?? 0) >>> (cls & 31)) & 1) === 1;
}

/** Words of 32 bits that hold a bit for each class. */
function wordsFor(count: number): number {
  return (count + 31) >>> 5;
}

/** `firsts[k]` is where the k-th segment begins, `classes[k]` its class: ascending, from 0, without gaps. */
interface Segments {
  readonly firsts: readonly number[];
  readonly classes: readonly number[];
  readonly representatives: readonly number[];
}

export function classifyCharacters(nfa: Nfa): CharClasses {
  const max = nfa.overPoints ? MAX_POINT : MAX_UNIT;
  const guardSets: readonly (readonly [number, CharSet])[] = [
    [LINE_BREAK, LINE_ENDS],
    [WORD_CHAR, WORD],
    [FOLDED_WORD_CHAR, WORD_FOLDED],
  ];
  const asked = guardSets.filter(([kind]) => (nfa.kindsUsed & kind) !== 0);
  const segments = commonFirst(segmentCharacters([...nfa.sets, ...asked.map(([, set]) => set)], max));
  const count = segments.representatives.length;
  const words = wordsFor(count);
  const members = new Uint32Array(nfa.sets.length * words);
  nfa.sets.forEach((set, index) => {
    markMembers(members.subarray(index * words, (index + 1) * words), set, segments);
  });
  const kinds = Uint8Array.from(segments.representatives, (char) =>
    asked.reduce((sum, [kind, set]) => (includes(set, char) ? sum | kind : sum), 0),
  );
  const ofUnit = unitTable(segments);
  const ofPoint = (point: number) =>
    point <= MAX_UNIT ? (ofUnit[point] ?? 0) : (segments.classes[segmentOf(segments, point)] ?? 0);
  return { count, ofUnit, ofPoint, members, kinds };
}

/**
 * Sweeps over the bounds of all sets. Each set has a random signature of 64 bits, and the exclusive or of the
 * signatures of the sets around a character is the name of its class: two different classes share a name with a
 * probability of about 2⁻⁶⁴ a pair.
 */
function segmentCharacters(sets: readonly CharSet[], max: number): Segments {
  const toggles = new Map<number, { high: number; low: number }>([[0, { high: 0, low: 0 }]]);
  const random = mixedNumbers();
  for (const set of sets) {
    const high = random();
    const low = random();
    for (let k = 0; k < set.length; k++) {
      const bound = (set[k] ?? 0) + (k & 1);
      const toggle = toggles.get(bound);
      if (toggle === undefined) toggles.set(bound, { high, low });
      else {
        toggle.high ^= high;
        toggle.low ^= low;
      }
    }
  }
  const classOf = new Map<string, number>();
  const firsts = [...toggles.keys()].filter((bound) => bound <= max).sort((a, b) => a - b);
  const classes: number[] = [];
  const representatives: number[] = [];
  let high = 0;
  let low = 0;
  for (const first of firsts) {
    const toggle = toggles.get(first);
    high ^= toggle?.high ?? 0;
    low ^= toggle?.low ?? 0;
    const name = `${high},${low}`;
    const cls = classOf.get(name) ?? representatives.push(first) - 1;
    classOf.set(name, cls);
    classes.push(cls);
  }
  return { firsts, classes, representatives };
}

/** The characters of prose and code, the most frequent ones first, roughly. */
const COMMON = " etaoinsrhldcumfpgwybvkxjqz\n._,(){};:=\"'/-<>[]01TSACEIRNOLDPMFBUHGWVKYXJQZ";

/**
 * Gives the classes of common characters the lowest numbers: the entries of a row that a text really uses then lie side
 * by side, and a table of many states stays in the processor's cache.
 */
function commonFirst(segments: Segments): Segments {
  const common = [...COMMON].map((char) => segments.classes[segmentOf(segments, char.charCodeAt(0))] ?? 0);
  const order = [...new Set([...common, ...segments.representatives.keys()])];
  const rank: number[] = [];
  order.forEach((cls, number) => {
    rank[cls] = number;
  });
  return {
    firsts: segments.firsts,
    classes: segments.classes.map((cls) => rank[cls] ?? 0),
    representatives: order.map((cls) => segments.representatives[cls] ?? 0),
  };
}

/** No segment lies partly in a set, so its first character speaks for it. */
function markMembers(row: Uint32Array, set: CharSet, segments: Segments): void {
  for (let k = 0; k < set.length; k += 2) {
    const last = set[k + 1] ?? 0;
    for (let s = segmentOf(segments, set[k] ?? 0); (segments.firsts[s] ?? Infinity) <= last; s++) {
      const cls = segments.classes[s] ?? 0;
      row[cls >>> 5] = (row[cls >>> 5] ?? 0) | (1 << (cls & 31));
    }
  }
}

function unitTable({ firsts, classes }: Segments): Uint16Array {
  const table = new Uint16Array(MAX_UNIT + 1);
  firsts.forEach((first, s) => {
    if (first <= MAX_UNIT) table.fill(classes[s] ?? 0, first, firsts[s + 1] ?? MAX_UNIT + 1);
  });
  return table;
}

/** The segment that holds a character. */
function segmentOf({ firsts }: Segments, char: number): number {
  let lo = 0;
  let hi = firsts.length - 1;
  while (lo < hi) {
    const middle = (lo + hi + 1) >> 1;
    if ((firsts[middle] ?? 0) <= char) lo = middle;
    else hi = middle - 1;
  }
  return lo;
}

/** MurmurHash3's finalizer over a counter: the same numbers at every run, without linear relations among them. */
function mixedNumbers(): () => number {
  let counter = 0;
  return () => {
    counter = (counter + 0x9e3779b9) | 0;
    let mixed = Math.imul(counter ^ (counter >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return mixed ^ (mixed >>> 16);
  };
}
