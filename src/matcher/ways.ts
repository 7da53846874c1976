// How many ways there are through a pattern's automaton without a character: about what it may have to do at one.

import * as nfa from "./nfa.ts";
import type { NfaDraft } from "./nfa-draft.ts";

/** Nodes from number `from` on, which are those of one pattern, that begins at node `start`. */
export interface WaysRequest {
  readonly from: number;
  readonly start: number;
  /** Counting stops above this. */
  readonly most: number;
}

/**
 * The other nodes that can be reached without a character, summed over all places where a character, or a counter, has
 * just been read. Optional parts in a row make them grow with the square of the row's length. A place where many
 * alternatives end is counted once.
 */
export function waysOn(draft: NfaDraft, { from, start, most }: WaysRequest): number {
  const { op, next, arg, counters } = draft;
  const places = new Set([start]);
  for (let node = from; node < op.length; node++) {
    if (op[node] === nfa.CHAR) places.add(next[node] ?? 0);
    else if (op[node] === nfa.COUNT) places.add(counters[arg[node] ?? 0]?.next ?? 0);
    else if (op[node] === nfa.AHEAD) places.add(arg[node] ?? 0);
  }
  const seenAt = new Int32Array(op.length - from).fill(-1);
  let ways = 0;
  for (const place of places) {
    const work = [place];
    ways--;
    for (let node = work.pop(); node !== undefined && ways <= most; node = work.pop()) {
      if (seenAt[node - from] === place) continue;
      seenAt[node - from] = place;
      ways++;
      if (isPassed(op[node])) work.push(next[node] ?? 0);
      if (op[node] === nfa.SPLIT) work.push(arg[node] ?? 0);
    }
  }
  return ways;
}

/** Whether a thread can go on from a node of this kind without a character. */
function isPassed(op: number | undefined): boolean {
  return op === nfa.SPLIT || op === nfa.ASSERT || op === nfa.AHEAD || op === nfa.BEHIND;
}
