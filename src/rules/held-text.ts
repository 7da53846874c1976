// Text that is held back, with what was released just before it:
//
//   released (its last units are kept as context) │ held │ not read yet
//                                                 ^ base ^ read

import { Buffer } from "node:buffer";
import { isHigh, isLow } from "../base/surrogates.ts";
import type { Position } from "./rule.ts";
import { advance, TEXT_START } from "./text-position.ts";

/** Units kept before what is held, for patterns that look back. */
export const CONTEXT_UNITS = 4_096;

/** Offsets are in UTF-16 units of the whole text. */
export interface HeldText {
  readonly base: number;
  /** The offset after what is held. */
  readonly read: number;
  /** UTF-8 bytes that are held. */
  readonly bytes: number;
  readonly context: string;
  readonly held: string;
  add(text: string): void;
  /** Takes what is held up to an offset, one unit less if that would part a surrogate pair. */
  takeTo(offset: number): string;
  /** Drops what is held up to an offset, and the rest of a surrogate pair that this would part. It stays as context. */
  dropTo(offset: number): void;
  /** Takes everything back out, as if it had not been read. */
  unread(): string;
  positionOf(offset: number): Position;
}

export function createHeldText(): HeldText {
  let context = "";
  let held = "";
  let bytes = 0;
  let base = 0;
  let position = TEXT_START;
  /** The last unit that was dropped began a surrogate pair whose rest had not come. */
  let droppedHalf = false;
  const take = (units: number): string => {
    const taken = held.slice(0, Math.max(0, units));
    held = held.slice(taken.length);
    bytes = held === "" ? 0 : bytes - Buffer.byteLength(taken);
    base += taken.length;
    position = advance(position, taken);
    context = (context + taken).slice(-CONTEXT_UNITS);
    return taken;
  };
  return {
    get base() {
      return base;
    },
    get read() {
      return base + held.length;
    },
    get bytes() {
      return bytes;
    },
    get context() {
      return context;
    },
    get held() {
      return held;
    },
    add(text) {
      held += text;
      bytes += Buffer.byteLength(text);
    },
    takeTo(offset) {
      // Not even looked at: a look makes one text of all the pieces, which are many where much is held for long.
      if (offset <= base) return "";
      const taken = take(splitsPair(held, offset - base) ? offset - base - 1 : offset - base);
      if (taken === "") return "";
      const isRest = droppedHalf && isLow(taken.charCodeAt(0));
      droppedHalf = false;
      return isRest ? taken.slice(1) : taken;
    },
    dropTo(offset) {
      const dropped = take(splitsPair(held, offset - base) ? offset - base + 1 : offset - base);
      if (dropped !== "") droppedHalf = isHigh(dropped.charCodeAt(dropped.length - 1));
    },
    unread() {
      const rest = held;
      held = "";
      bytes = 0;
      return rest;
    },
    positionOf: (offset) => advance(position, held, Math.max(0, offset - base)),
  };
}

/** Whether a cut after this many units would part a surrogate pair. */
function splitsPair(text: string, units: number): boolean {
  return isHigh(text.charCodeAt(units - 1)) && isLow(text.charCodeAt(units));
}
