// A text, or a stretch of one, as the backtracking engine reads it. Offsets count from the beginning of the whole
// text, whatever of it is at hand.

import { isHigh, isLow } from "../base/surrogates.ts";

/** Some of a text: from `base`, 0 unless it is a later stretch. */
export interface Input {
  readonly text: string;
  readonly base?: number;
  /** Nothing follows. */
  readonly ended: boolean;
}

/** The offset behind the last unit at hand. */
export function endOf({ text, base = 0 }: Input): number {
  return base + text.length;
}

/** The same input, as if no more than `end` had been read. */
export function upTo(input: Input, end: number): Input {
  return { ...input, text: input.text.slice(0, end - (input.base ?? 0)), ended: false };
}

/**
 * The offset behind the last unit that can be read. Over code points a high surrogate at the end is not yet a
 * character, as long as its partner may follow.
 */
export function readableEnd(overPoints: boolean, input: Input): number {
  const { text, ended } = input;
  const waits = overPoints && !ended && isHigh(text.charCodeAt(text.length - 1));
  return endOf(input) - (waits ? 1 : 0);
}

/** The offsets at which a match can begin, from `from` on. */
export function startsFrom(overPoints: boolean, input: Input, from: number): number[] {
  const starts: number[] = [];
  const last = readableEnd(overPoints, input);
  for (let start = from; start <= last; start++) if (!overPoints || isStart(input, start)) starts.push(start);
  return starts;
}

/** Whether a match over code points can begin at an offset: not inside a surrogate pair. */
export function isStart({ text, base = 0 }: Input, offset: number): boolean {
  const at = offset - base;
  return !(isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1)));
}

/** The code point of a surrogate pair. */
export function pointOf(high: number, low: number): number {
  return (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000;
}
