// What the backtracking engine's instructions ask of the text: a character, an edge, what a capture holds.

import { isHigh, isLow } from "../base/surrogates.ts";
import { type CharSet, includes, LINE_ENDS, WORD, WORD_FOLDED } from "./charset.ts";
import { foldedSet } from "./host-sets.ts";
import { pointOf } from "./input.ts";
import type { Program } from "./program.ts";

/** No way on. */
export const FAILED = -1;
/** A guard that the next character decides. */
export const UNDECIDED = undefined;

/** An attempt under way: the text, and what has been captured and counted. */
export interface Run {
  readonly program: Program;
  readonly budget: { stepsLeft: number };
  readonly text: string;
  /** Where the text at hand begins, and where it can be read no further. */
  readonly base: number;
  readonly end: number;
  readonly ended: boolean;
  readonly captures: Int32Array;
  readonly registers: Int32Array;
  /** Some path ended in what has not come yet. */
  open: boolean;
}

/** The position after a character of the set, or before it if `back`; FAILED if there is none. */
export function readChar(m: Run, { set, back }: { set: CharSet; back: boolean }, position: number): number {
  if (back) {
    if (position === 0) return FAILED;
    const unit = unitAt(m, position - 1);
    const before = position > 1 && m.program.overPoints && isLow(unit) ? unitAt(m, position - 2) : 0;
    if (isHigh(before)) return includes(set, pointOf(before, unit)) ? position - 2 : FAILED;
    return includes(set, unit) ? position - 1 : FAILED;
  }
  if (position >= m.end) {
    if (!m.ended) m.open = true;
    return FAILED;
  }
  const unit = unitAt(m, position);
  const after = position + 1 < m.end && m.program.overPoints && isHigh(unit) ? unitAt(m, position + 1) : 0;
  if (isLow(after)) return includes(set, pointOf(unit, after)) ? position + 2 : FAILED;
  return includes(set, unit) ? position + 1 : FAILED;
}

function unitAt(m: Run, position: number): number {
  return m.text.charCodeAt(position - m.base);
}

function textBetween(m: Run, from: number, to: number): string {
  return m.text.slice(from - m.base, to - m.base);
}

export type Guard = boolean | typeof UNDECIDED;

export function atEdge(
  m: Run,
  { end, multiline }: { end: boolean; multiline: boolean },
  position: number,
): Guard {
  const breaks = (at: number) => multiline && includes(LINE_ENDS, unitAt(m, at));
  if (!end) return position === 0 || breaks(position - 1);
  if (position < m.end) return breaks(position);
  return m.ended ? true : UNDECIDED;
}

export function atWordEdge(
  m: Run,
  { negate, folded }: { negate: boolean; folded: boolean },
  position: number,
): Guard {
  if (position >= m.end && !m.ended) return UNDECIDED;
  const word = folded ? WORD_FOLDED : WORD;
  const left = position > 0 && includes(word, unitAt(m, position - 1));
  const right = position < m.end && includes(word, unitAt(m, position));
  return (left !== right) !== negate;
}

/** Reads what a capture holds once more; a capture that holds nothing reads nothing. */
export function readAgain(
  m: Run,
  { captures, ignoreCase, back }: { captures: readonly number[]; ignoreCase: boolean; back: boolean },
  position: number,
): number {
  const set = captures.find(
    (capture) => (m.captures[2 * capture] ?? -1) >= 0 && (m.captures[2 * capture + 1] ?? -1) >= 0,
  );
  if (set === undefined) return position;
  const again = textBetween(m, m.captures[2 * set] ?? 0, m.captures[2 * set + 1] ?? 0);
  const same = (a: string, b: string) => a === b || (ignoreCase && sameFolded(a, b, m.program.overPoints));
  if (back) {
    const from = position - again.length;
    if (from < 0 || isInsidePair(m, from)) return FAILED;
    return same(again, textBetween(m, from, position)) ? from : FAILED;
  }
  const have = textBetween(m, position, Math.min(m.end, position + again.length));
  if (!same(again.slice(0, have.length), have)) return FAILED;
  const after = position + again.length;
  if (have.length === again.length) return isInsidePair(m, after) ? FAILED : after;
  if (!m.ended) m.open = true;
  return FAILED;
}

/** Whether a position is none over code points: what was captured may end with half of what is a pair here. */
function isInsidePair(m: Run, position: number): boolean {
  return m.program.overPoints && isLow(unitAt(m, position)) && isHigh(unitAt(m, position - 1));
}

function sameFolded(a: string, b: string, points: boolean): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; ) {
    const x = (points ? a.codePointAt(k) : a.charCodeAt(k)) ?? 0;
    const y = (points ? b.codePointAt(k) : b.charCodeAt(k)) ?? 0;
    if (x !== y && !includes(foldedSet(x, points), y)) return false;
    k += x > 0xffff ? 2 : 1;
  }
  return true;
}
