// The deterministic automaton of a group of rules, built as the text asks for it.
//
// A state is a left context and a set of threads. It is written as its row's offset in `transitions`, where the
// columns are character classes. An entry is the offset of the next state; or 0 if that is not known yet; or, if
// something happens on the way, minus the number of an edge. Every rule may begin at every offset, so the threads
// that would begin at a state ("seeds") are not in it: they depend on the context alone.

import { carryThreads } from "./carry.ts";
import type { CharClasses } from "./char-classes.ts";
import { closure } from "./closure.ts";
import type { Context } from "./context.ts";
import type { Nfa } from "./nfa.ts";
import { Seeds } from "./seeds.ts";
import {
  acceptedAtEnd,
  createSimulation,
  type Simulation,
  settle,
  simulationBytes,
  stepThreads,
} from "./step.ts";
import { DEAD, TooManyThreads } from "./thread-store.ts";
import { TooMuchWork, type Work, type WorkLimits } from "./work.ts";

/** A transition on which something happens. */
export interface Edge {
  readonly next: number;
  /** Rules whose match is certain once the character is read. */
  readonly fires: readonly number[];
  /** Counters that threads enter before the character, and after it. */
  readonly entersBefore: readonly number[];
  readonly enters: readonly number[];
}

export interface DfaLimits extends WorkLimits {
  readonly maxStates: number;
  readonly maxBytes: number;
  readonly maxThreads: number;
}

export interface DfaParts {
  readonly nfa: Nfa;
  readonly classes: CharClasses;
  readonly limits: DfaLimits;
  /** 1 for each rule that this automaton looks for. */
  readonly rules: Uint8Array;
}

/** A state without any thread still has a context. */
interface State {
  readonly context: Context;
  readonly set: number;
}

/** Grows only; when it is `full` its owner makes a new one and carries the current state over. */
export class Dfa {
  readonly parts: DfaParts;
  readonly sim: Simulation;
  transitions: Int32Array;
  readonly edges: Edge[] = [NO_EDGE];
  readonly #stride: number;
  /** The first row is no state, so that no state has offset 0. */
  readonly #states: (State | undefined)[] = [undefined];
  readonly #stateIndex = new Map<number, number>();
  /** What begins where. */
  readonly seeds: Seeds;
  readonly #departures = new Map<number, Edge>();
  readonly #endings = new Map<number, readonly number[]>();
  /** Entries of the lists of rules and counters in edges and endings. */
  #listed = 0;

  constructor(parts: DfaParts, work: Work) {
    this.parts = parts;
    // Rows begin where a line of the processor's cache may begin, so that the common classes of a row share one.
    this.#stride = (parts.classes.count + 15) & ~15;
    this.sim = createSimulation({ ...parts, maxThreads: parts.limits.maxThreads, work });
    this.seeds = new Seeds(this.sim, parts);
    const rows = Math.max(
      4,
      Math.min(parts.limits.maxStates + 2, 64, Math.floor(FIRST_CELLS / this.#stride)),
    );
    this.transitions = new Int32Array(rows * this.#stride);
  }

  get full(): boolean {
    const { maxStates, maxBytes } = this.parts.limits;
    return this.#states.length > maxStates || this.bytes > maxBytes;
  }

  /** About the bytes that the cache takes. */
  get bytes(): number {
    return (
      this.transitions.byteLength +
      STATE_BYTES * this.#states.length +
      LIST_BYTES * this.#endings.size +
      ENTRY_BYTES * this.#listed +
      EDGE_BYTES * (this.edges.length + this.#departures.size) +
      this.seeds.bytes +
      simulationBytes(this.sim)
    );
  }

  /** The state before any text. */
  initial(): number {
    return this.stateOf(this.sim.contexts.initial(), DEAD);
  }

  contextOf(state: number): Context {
    return this.#stateAt(state).context;
  }

  /** The threads of a state, in ascending order. */
  threadsOf(state: number): Int32Array {
    return this.sim.store.sets.get(this.#stateAt(state).set);
  }

  /** Whether no match is under way in the state. */
  isIdle(state: number): boolean {
    return this.#stateAt(state).set === DEAD;
  }

  stateOf(context: Context, set: number): number {
    const key = set * CONTEXTS + context.id;
    const known = this.#stateIndex.get(key);
    if (known !== undefined) return known;
    const state = this.#stride * (this.#states.push({ context, set }) - 1);
    this.#stateIndex.set(key, state);
    if (state + this.#stride > this.transitions.length) this.#grow();
    return state;
  }

  /** Fills the entry of a state and a class, and gives it. */
  build(state: number, cls: number): number {
    const { context, set } = this.#stateAt(state);
    const own = stepThreads(this.sim, this.sim.store.sets.get(set), { from: context, cls });
    const begun = this.seeds.step(context, cls);
    const { next } = this.sim.contexts.step(context, cls);
    const threads = this.sim.store.setOf(own.threads.concat(begun.threads));
    const edge: Edge = {
      next: this.stateOf(next, threads),
      fires: distinct(own.fires, begun.fires, this.seeds.at(next).fires),
      entersBefore: distinct(own.entersBefore, begun.entersBefore),
      enters: distinct(own.enters, begun.enters),
    };
    const events = edge.fires.length + edge.entersBefore.length + edge.enters.length;
    this.#listed += events;
    const entry = events > 0 ? 1 - this.edges.push(edge) : edge.next;
    this.transitions[state + cls] = entry;
    return entry;
  }

  /** What happens when a thread leaves a counter in a state: to where, and which rules that completes. */
  departure(state: number, counter: number): Edge {
    const key = state * (this.parts.nfa.counters.length + 1) + counter;
    const known = this.#departures.get(key);
    if (known !== undefined) return known;
    const { context, set } = this.#stateAt(state);
    const { store } = this.sim;
    const left = this.departing(context, counter);
    const next = this.stateOf(context, store.setOf([...store.sets.get(set), ...left.threads]));
    const edge: Edge = { next, fires: left.fires, entersBefore: [], enters: left.enters };
    this.#listed += left.fires.length + left.enters.length;
    this.#departures.set(key, edge);
    return edge;
  }

  /** A thread that leaves a counter at a context. */
  departing(context: Context, counter: number): ReturnType<typeof settle> {
    const next = this.parts.nfa.counters[counter]?.next ?? 0;
    return settle(this.sim.store, closure(this.sim.store, [next], context.place));
  }

  /** The rules that match if the text ends in this state. */
  acceptedAtEnd(state: number): readonly number[] {
    const { context } = this.#stateAt(state);
    const known = this.#endings.get(state);
    if (known !== undefined) return known;
    const threads = [...this.threadsOf(state), ...this.seeds.at(context).threads];
    const rules = acceptedAtEnd(this.sim, threads, context);
    this.#endings.set(state, rules);
    this.#listed += rules.length;
    return rules;
  }

  /** The rules that are to be given up because of what was thrown in a state; none if it was no limit. */
  overLimit(error: unknown, state: number): readonly number[] {
    const { rules } = this.parts;
    if (error instanceof TooManyThreads) return error.rules.filter((rule) => rules[rule] === 1);
    if (!(error instanceof TooMuchWork)) return [];
    const live = [...rules.keys()].filter((rule) => rules[rule] === 1);
    return this.sim.store.work.heaviest(live, this.#loadOfSets([this.threadsOf(state)]));
  }

  /** How many threads each rule had in the sets that were added last. */
  loadByRule(): ReadonlyMap<number, number> {
    const { store } = this.sim;
    const { size } = store.sets;
    const first = Math.max(FIRST_SET, size - RECENT_SETS);
    return this.#loadOfSets(
      Array.from({ length: Math.max(0, size - first) }, (_, k) => store.sets.get(first + k)),
    );
  }

  #loadOfSets(sets: readonly Int32Array[]): ReadonlyMap<number, number> {
    const load = new Map<number, number>();
    for (const set of sets) {
      for (const thread of set) {
        const rule = this.parts.nfa.rule[this.sim.store.nodeOf(thread)] ?? 0;
        load.set(rule, (load.get(rule) ?? 0) + 1);
      }
    }
    return load;
  }

  /**
   * The same state of another automaton that looks for some of its rules: `state` here, and the other's threads as
   * they are written here (parallel to `threadsOf` there; undefined for those of other rules).
   */
  adopt(other: Dfa, state: number): { state: number; threads: (number | undefined)[] } {
    const { nfa, rules } = this.parts;
    const mine = (thread: number) => rules[nfa.rule[other.sim.store.nodeOf(thread)] ?? 0] === 1;
    const theirs = [...other.threadsOf(state)];
    const kept = carryThreads(theirs.filter(mine), other.sim.store, this.sim.store);
    const context = this.sim.contexts.adopt(other.contextOf(state));
    let next = 0;
    const threads = theirs.map((thread) => (mine(thread) ? kept[next++] : undefined));
    return { state: this.stateOf(context, this.sim.store.setOf(kept)), threads };
  }

  #stateAt(state: number): State {
    const found = this.#states[state / this.#stride];
    if (found === undefined) throw new RangeError(`there is no state ${state}`);
    return found;
  }

  #grow(): void {
    const rows = Math.min(
      2 * this.#states.length,
      Math.max(this.parts.limits.maxStates, this.#states.length) + 8,
    );
    const larger = new Int32Array(rows * this.#stride);
    larger.set(this.transitions);
    this.transitions = larger;
  }
}

/** Of a table when it is made: with many classes a few rows are large. */
const FIRST_CELLS = 2 ** 16;

const NO_EDGE: Edge = { next: 0, fires: [], entersBefore: [], enters: [] };
/** The sets below are the two that stand for "dead" and "satisfied". */
const FIRST_SET = 2;
const RECENT_SETS = 2000;
/** More contexts than a store ever holds: keeps the parts of a key apart. */
const CONTEXTS = 2 ** 20;
/** What a state or an edge takes besides its row, with its entries in maps: rounded up. */
const STATE_BYTES = 120;
const EDGE_BYTES = 160;
const LIST_BYTES = 200;
const ENTRY_BYTES = 8;

function distinct(first: readonly number[], ...rest: readonly (readonly number[])[]): readonly number[] {
  if (rest.every((list) => list.length === 0)) return first;
  return [...new Set([first, ...rest].flat())];
}
