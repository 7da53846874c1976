// Threads, the obligations they carry, and sets of threads: all of them numbers.
//
// A thread is a place in the automaton with the lookaheads that it has crossed and that are still open. It is
// written as one integer: a node's own number if it owes nothing, else a number above all nodes that stands for
// (node, obligation).
//
// An obligation says which lookahead bodies are under way for a thread: a list [N, P₁, P₂, …] of sets of threads.
// Each Pᵢ is the body of a positive lookahead and has to be satisfied; N unites the bodies of all negative ones and
// must die out. The thread counts only when nothing is owed any more.

import { InternTable } from "./intern-table.ts";
import { ACCEPT_AHEAD, type Nfa } from "./nfa.ts";
import type { Work } from "./work.ts";

/** The set without threads: nothing can match any more. */
export const DEAD = 0;
/** Stands for the body of a lookahead that has matched. */
export const SATISFIED = 1;
/** Owes nothing. */
export const FREE = 0;

/** The bodies that an obligation is about: DEAD stands for no negative one. */
export interface Bodies {
  readonly negative: number;
  readonly positive: readonly number[];
}

/** More threads alive at once than allowed, most of them of `rules`. */
export class TooManyThreads extends Error {
  override readonly name = "TooManyThreads";
  readonly rules: readonly number[];
  constructor(rules: readonly number[]) {
    super("too many threads");
    this.rules = rules;
  }
}

/** Grows only; when it has grown too large its owner makes a new one and carries over what is alive. */
export class ThreadStore {
  readonly nfa: Nfa;
  readonly work: Work;
  readonly sets = new InternTable();
  readonly obligations = new InternTable();
  readonly #maxThreads: number;
  readonly #nodeCount: number;
  readonly #boundNodes: number[] = [];
  readonly #boundObligations: number[] = [];
  readonly #bound = new Map<number, number>();

  constructor(nfa: Nfa, maxThreads: number, work: Work) {
    this.nfa = nfa;
    this.work = work;
    this.#maxThreads = maxThreads;
    this.#nodeCount = nfa.op.length;
    this.sets.intern(new Int32Array(0));
    this.sets.intern(Int32Array.of(-1));
    this.obligations.intern(Int32Array.of(DEAD));
  }

  get bytes(): number {
    return this.sets.bytes + this.obligations.bytes + 64 * this.#boundNodes.length;
  }

  /** Threads below this are nodes that owe nothing. */
  get freeBelow(): number {
    return this.#nodeCount;
  }

  nodeOf(thread: number): number {
    return thread < this.#nodeCount ? thread : (this.#boundNodes[thread - this.#nodeCount] ?? 0);
  }

  obligationOf(thread: number): number {
    return thread < this.#nodeCount ? FREE : (this.#boundObligations[thread - this.#nodeCount] ?? FREE);
  }

  threadAt(node: number, obligation: number): number {
    if (obligation === FREE) return node;
    const key = obligation * this.#nodeCount + node;
    const known = this.#bound.get(key);
    if (known !== undefined) return known;
    this.work.charge(NEW_THREAD_STEPS);
    const thread = this.#nodeCount + this.#boundNodes.push(node) - 1;
    this.#boundObligations.push(obligation);
    this.#bound.set(key, thread);
    return thread;
  }

  /** The obligation that also owes a body, to be satisfied or, if `negate`, to die out. */
  oblige(obligation: number, body: number, negate: boolean): number {
    const { negative, positive } = this.bodiesOf(obligation);
    if (!negate) return this.obligationOfBodies(negative, [...positive, body]);
    const both = negative === DEAD ? body : this.setOf([...this.sets.get(negative), ...this.sets.get(body)]);
    return this.obligationOfBodies(both, positive);
  }

  bodiesOf(obligation: number): Bodies {
    const list = this.obligations.get(obligation);
    const positive: number[] = [];
    for (let k = 1; k < list.length; k++) positive.push(list[k] ?? DEAD);
    return { negative: list[0] ?? DEAD, positive };
  }

  obligationOfBodies(negative: number, positive: readonly number[]): number {
    const bodies = positive.length < 2 ? positive : [...new Set(positive)].sort((a, b) => a - b);
    this.work.charge(INTERNING_STEPS);
    return this.obligations.intern(new Int32Array([negative, ...bodies]));
  }

  /**
   * The number of a set of threads: sorted, each once, and without a thread that owes something where one at the
   * same node owes nothing, since that one matches whenever the other does.
   */
  setOf(threads: readonly number[]): number {
    if (threads.length === 0) return DEAD;
    this.work.charge(threads.length);
    const { op } = this.nfa;
    let owing = 0;
    for (const thread of threads) {
      if (thread >= this.#nodeCount) owing++;
      else if (op[thread] === ACCEPT_AHEAD) return SATISFIED;
    }
    const isMixed = owing > 0 && owing < threads.length;
    const sorted = sortedList(isMixed ? this.#withoutSubsumed(threads) : threads);
    let length = 0;
    for (let k = 0; k < sorted.length; k++) {
      const thread = sorted[k] ?? 0;
      if (length === 0 || thread !== sorted[length - 1]) sorted[length++] = thread;
    }
    if (length > this.#maxThreads) throw new TooManyThreads(this.#busiestRules(sorted));
    return this.sets.intern(length === sorted.length ? sorted : sorted.slice(0, length));
  }

  #withoutSubsumed(threads: readonly number[]): readonly number[] {
    const free = new Set<number>();
    for (const thread of threads) if (thread < this.#nodeCount) free.add(thread);
    return threads.filter((thread) => thread < this.#nodeCount || !free.has(this.nodeOf(thread)));
  }

  /** Those without which no more than half as many threads as allowed are left: soon there would be more again. */
  #busiestRules(threads: Int32Array): readonly number[] {
    const counts = new Map<number, number>();
    for (const thread of threads) {
      const rule = this.nfa.rule[this.nodeOf(thread)] ?? 0;
      counts.set(rule, (counts.get(rule) ?? 0) + 1);
    }
    let left = threads.length;
    const busiest: number[] = [];
    for (const [rule, count] of [...counts].sort((a, b) => b[1] - a[1])) {
      if (busiest.length > 0 && 2 * left <= this.#maxThreads) break;
      busiest.push(rule);
      left -= count;
    }
    return busiest;
  }
}

/** What it takes to write down a thread that owes something, and to look up what it owes, in steps. */
const NEW_THREAD_STEPS = 4;
const INTERNING_STEPS = 4;

/** Most sets are so small that sorting by insertion is several times as fast. */
const SMALL = 24;

function sortedList(threads: readonly number[]): Int32Array {
  const list = new Int32Array(threads);
  if (list.length > SMALL) return list.sort();
  for (let k = 1; k < list.length; k++) {
    const thread = list[k] ?? 0;
    let to = k;
    for (; to > 0 && (list[to - 1] ?? 0) > thread; to--) list[to] = list[to - 1] ?? 0;
    list[to] = thread;
  }
  return list;
}
