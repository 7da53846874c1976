// An automaton while patterns are added to it. A pattern that turns out not to fit leaves no trace: `mark` and
// `rollback` see to it.

import type { CharSet } from "./charset.ts";
import type { Counter, Nfa } from "./nfa.ts";

export interface NfaDraft {
  readonly overPoints: boolean;
  readonly op: number[];
  readonly next: number[];
  readonly arg: number[];
  readonly negate: number[];
  readonly rule: number[];
  readonly lookbehind: number[];
  readonly sets: CharSet[];
  readonly setIndex: Map<string, number>;
  readonly counters: Counter[];
  readonly starts: { readonly rule: number; readonly node: number }[];
  readonly lookbehinds: number[];
  /** Lookbehinds by what they say, so that the same one runs once for all rules. */
  readonly lookbehindIndex: Map<string, number>;
  kindsUsed: number;
}

export interface NodeParts {
  readonly op: number;
  readonly next?: number;
  readonly arg?: number;
  readonly negate?: boolean;
  readonly rule?: number;
  readonly lookbehind?: number;
}

export interface Mark {
  readonly nodes: number;
  readonly counters: number;
  readonly lookbehinds: number;
}

export function createDraft(overPoints: boolean): NfaDraft {
  return {
    overPoints,
    op: [],
    next: [],
    arg: [],
    negate: [],
    rule: [],
    lookbehind: [],
    sets: [],
    setIndex: new Map(),
    counters: [],
    starts: [],
    lookbehinds: [],
    lookbehindIndex: new Map(),
    kindsUsed: 0,
  };
}

export function addNode(draft: NfaDraft, parts: NodeParts): number {
  const { op, next = 0, arg = 0, negate = false, rule = -1, lookbehind = -1 } = parts;
  draft.next.push(next);
  draft.arg.push(arg);
  draft.negate.push(negate ? 1 : 0);
  draft.rule.push(rule);
  draft.lookbehind.push(lookbehind);
  return draft.op.push(op) - 1;
}

/** The number of a set; equal sets have one number. */
export function addSet(draft: NfaDraft, set: CharSet): number {
  const key = set.join();
  const known = draft.setIndex.get(key);
  if (known !== undefined) return known;
  draft.setIndex.set(key, draft.sets.length);
  return draft.sets.push(set) - 1;
}

export function mark(draft: NfaDraft): Mark {
  return {
    nodes: draft.op.length,
    counters: draft.counters.length,
    lookbehinds: draft.lookbehinds.length,
  };
}

export function rollback(draft: NfaDraft, to: Mark): void {
  for (const column of [draft.op, draft.next, draft.arg, draft.negate, draft.rule, draft.lookbehind]) {
    column.length = to.nodes;
  }
  draft.counters.length = to.counters;
  draft.lookbehinds.length = to.lookbehinds;
  for (const [key, index] of draft.lookbehindIndex) {
    if (index >= to.lookbehinds) draft.lookbehindIndex.delete(key);
  }
}

export function finishDraft(draft: NfaDraft): Nfa {
  return {
    overPoints: draft.overPoints,
    op: Uint8Array.from(draft.op),
    next: Int32Array.from(draft.next),
    arg: Int32Array.from(draft.arg),
    negate: Uint8Array.from(draft.negate),
    rule: Int32Array.from(draft.rule),
    lookbehind: Int32Array.from(draft.lookbehind),
    sets: draft.sets,
    counters: draft.counters,
    starts: draft.starts,
    lookbehinds: draft.lookbehinds,
    kindsUsed: draft.kindsUsed,
  };
}
