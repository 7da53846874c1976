// Character sets that only the host's Unicode tables know: properties and case folding. The host's RegExp is asked
// about single characters, which cannot backtrack; it never decides a match.

import { type CharSet, charSet, MAX_UNIT } from "./charset.ts";

/** A stretch of consecutive characters as one string. Astral characters take two units each. */
interface Stretch {
  readonly text: string;
  readonly first: number;
  readonly unitsPerChar: 1 | 2;
}

const memo = new Map<string, CharSet>();
let unitStretches: readonly Stretch[] | undefined;
let pointStretches: readonly Stretch[] | undefined;
let casedChars: string | undefined;

/** The characters that the leaf `raw` (an escape or a class) matches under `flags`, each taken alone. */
export function hostSet(raw: string, flags: string): CharSet {
  const key = `${flags}/${raw}`;
  const known = memo.get(key);
  if (known !== undefined) return known;
  const leaf = new RegExp(`${raw}+`, `g${flags}`);
  const ranges: number[] = [];
  for (const { text, first, unitsPerChar } of /[uv]/.test(flags) ? allPoints() : allUnits()) {
    for (const run of text.matchAll(leaf)) {
      const lo = first + run.index / unitsPerChar;
      ranges.push(lo, lo + run[0].length / unitsPerChar - 1);
    }
  }
  const set = charSet(ranges);
  memo.set(key, set);
  return set;
}

/** The characters that equal `char` when case is ignored, by the rules of `u`/`v` or by those without. */
export function foldedSet(char: number, overPoints: boolean): CharSet {
  if (char < 128) return foldedAscii(char, overPoints);
  const key = `${overPoints ? "point" : "unit"}/${char}`;
  const known = memo.get(key);
  if (known !== undefined) return known;
  const escaped = overPoints ? `\\u{${char.toString(16)}}` : `\\u${char.toString(16).padStart(4, "0")}`;
  const ranges = [char, char];
  for (const same of cased().matchAll(new RegExp(escaped, overPoints ? "giu" : "gi"))) {
    const found = same[0].codePointAt(0) ?? char;
    ranges.push(found, found);
  }
  const set = charSet(ranges);
  memo.set(key, set);
  return set;
}

function foldedAscii(char: number, overPoints: boolean): CharSet {
  const lower = char | 0x20;
  if (lower < 0x61 || lower > 0x7a) return [char, char];
  const set = [lower - 0x20, lower - 0x20, lower, lower];
  if (overPoints && lower === 0x6b) set.push(0x212a, 0x212a);
  if (overPoints && lower === 0x73) set.push(0x17f, 0x17f);
  return set;
}

/** Every character that any case mapping changes: the only ones that can equal another. */
function cased(): string {
  if (casedChars === undefined) {
    const set = hostSet("[\\p{Changes_When_Casemapped}\\p{Changes_When_Casefolded}]", "u");
    const chars: string[] = [];
    for (let k = 0; k < set.length; k += 2) chars.push(stretch(set[k] ?? 0, set[k + 1] ?? 0).text);
    casedChars = chars.join("");
  }
  return casedChars;
}

function allUnits(): readonly Stretch[] {
  unitStretches ??= [stretch(0, MAX_UNIT)];
  return unitStretches;
}

/** Cut where a high surrogate would meet a low one, so that each character stands for itself. */
function allPoints(): readonly Stretch[] {
  pointStretches ??= [
    stretch(0, 0xd7ff),
    stretch(0xd800, 0xdbff),
    stretch(0xdc00, 0xdfff),
    stretch(0xe000, 0xffff),
    stretch(0x10000, 0x10ffff),
  ];
  return pointStretches;
}

function stretch(first: number, last: number): Stretch {
  const parts: string[] = [];
  for (let lo = first; lo <= last; lo += 4096) {
    const length = Math.min(4096, last - lo + 1);
    const chars = Array.from({ length }, (_, k) => lo + k);
    parts.push(first > 0xffff ? String.fromCodePoint(...chars) : String.fromCharCode(...chars));
  }
  return { text: parts.join(""), first, unitsPerChar: first > 0xffff ? 2 : 1 };
}
