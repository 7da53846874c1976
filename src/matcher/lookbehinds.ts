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
