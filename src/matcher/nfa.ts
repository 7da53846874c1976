// The automaton of all rules of one kind (over units, or over code points), as nodes in parallel arrays. A node is
// an index; its `next` is where a thread goes when it passes, and what its `arg` means depends on its `op`.

import type { CharSet } from "./charset.ts";

/** Reads one character of set `arg`. */
export const CHAR = 0;
/** Goes on at `next` and at `arg`. */
export const SPLIT = 1;
/** A guard on the neighbouring characters; `arg` is one of the guards below. */
export const ASSERT = 2;
/** A lookahead whose body begins at node `arg`; negative if `negate`. */
export const AHEAD = 3;
/** A lookbehind, the `arg`-th of the automaton; negative if `negate`. */
export const BEHIND = 4;
/** Reads as many characters as counter `arg` counts. */
export const COUNT = 5;
/** A match of the node's rule is complete. */
export const ACCEPT = 6;
/** The body of a lookahead is complete. */
export const ACCEPT_AHEAD = 7;
/** The body of lookbehind `arg` is complete: it holds here. */
export const ACCEPT_BEHIND = 8;
/** No way on. */
export const FAIL = 9;

/** Guards: the edges of the text, of a line, and of a word by `\w` as it is or as `iu` folds it. */
export const TEXT_START = 0;
export const TEXT_END = 1;
export const LINE_START = 2;
export const LINE_END = 3;
export const WORD_EDGE = 4;
export const NO_WORD_EDGE = 5;
export const FOLDED_WORD_EDGE = 6;
export const NO_FOLDED_WORD_EDGE = 7;

/** What guards ask of a neighbouring character; a kind is a sum of these. EDGE: there is none, the text ends. */
export const EDGE = 1;
export const LINE_BREAK = 2;
export const WORD_CHAR = 4;
export const FOLDED_WORD_CHAR = 8;
/** The kind of a neighbour that is not known yet. */
export const UNKNOWN = -1;

/** `X{min,max}` for an X of one character, kept out of the nodes (see counters.ts). `min` is at least 1. */
export interface Counter {
  readonly set: number;
  readonly min: number;
  readonly max: number;
  readonly next: number;
  readonly rule: number;
}

export interface Nfa {
  readonly overPoints: boolean;
  readonly op: Uint8Array;
  readonly next: Int32Array;
  readonly arg: Int32Array;
  readonly negate: Uint8Array;
  /** The rule of a node, or -1 in a lookbehind, which rules may share. */
  readonly rule: Int32Array;
  /** The lookbehind of a node, or -1. */
  readonly lookbehind: Int32Array;
  readonly sets: readonly CharSet[];
  readonly counters: readonly Counter[];
  /** Where each pattern begins. */
  readonly starts: readonly { readonly rule: number; readonly node: number }[];
  /** Where each lookbehind begins; an inner one stands before the one around it. */
  readonly lookbehinds: readonly number[];
  /** Which of LINE_BREAK, WORD_CHAR, FOLDED_WORD_CHAR some guard asks for. */
  readonly kindsUsed: number;
}
