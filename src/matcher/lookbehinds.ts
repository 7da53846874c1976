// Which lookbehinds of an automaton some of its rules ask for, and which of those have another one inside.

import { BEHIND, type Nfa } from "./nfa.ts";

export interface Lookbehinds {
  /** 1 for each that is asked for, by a rule or by another that is. */
  readonly wanted: Uint8Array;
  /** 1 for each that has another one inside. */
  readonly nesting: Uint8Array;
  /** Those that are wanted and have another one inside, an inner one before the one around it. */
  readonly nestingOnes: readonly number[];
  /** Those that are wanted and have none. */
  readonly plainOnes: readonly number[];
}

/** The lookbehinds that each rule asks for, those inside them included. */
export function lookbehindsByRule(nfa: Nfa): ReadonlyMap<number, readonly number[]> {
  const rules = new Map<number, Set<number>>();
  const inner: number[][] = nfa.lookbehinds.map(() => []);
  nfa.op.forEach((op, node) => {
    if (op !== BEHIND) return;
    const index = nfa.arg[node] ?? 0;
    const rule = nfa.rule[node] ?? 0;
    if (rule < 0) inner[nfa.lookbehind[node] ?? 0]?.push(index);
    else rules.set(rule, (rules.get(rule) ?? new Set()).add(index));
  });
  // An element added to a set while it is gone through is gone through too.
  for (const asked of rules.values()) {
    for (const index of asked) for (const other of inner[index] ?? []) asked.add(other);
  }
  return new Map([...rules].map(([rule, asked]) => [rule, [...asked]]));
}

/** For the rules marked by a 1. */
export function findLookbehinds(nfa: Nfa, rules: Uint8Array): Lookbehinds {
  const count = nfa.lookbehinds.length;
  const wanted = new Uint8Array(count);
  const nesting = new Uint8Array(count);
  const inner: number[][] = nfa.lookbehinds.map(() => []);
  nfa.op.forEach((op, node) => {
    if (op !== BEHIND) return;
    const index = nfa.arg[node] ?? 0;
    const around = nfa.lookbehind[node] ?? -1;
    if (around >= 0) {
      nesting[around] = 1;
      inner[around]?.push(index);
    } else if (rules[nfa.rule[node] ?? 0] === 1) wanted[index] = 1;
  });
  for (let index = count - 1; index >= 0; index--) {
    if (wanted[index] === 1) for (const other of inner[index] ?? []) wanted[other] = 1;
  }
  const ones = [...wanted.keys()].filter((index) => wanted[index] === 1);
  return {
    wanted,
    nesting,
    nestingOnes: ones.filter((index) => nesting[index] === 1),
    plainOnes: ones.filter((index) => nesting[index] !== 1),
  };
}
