// Where the matches under way began. A state says which threads are alive, not since when; this file keeps, beside
// the current state, the least offset at which a match that is now at each thread began.

import type { Dfa } from "./dfa.ts";
import { stepThreads, type ThreadStep } from "./step.ts";

/** The match that begins at the very place from which a step is made, or that leaves a counter there. */
const NEWCOMER = -1;

/** No match enters a counter. */
const NOWHERE = () => Infinity;

/**
 * Who becomes whom on a transition. A source is an index into the old state's threads, or NEWCOMER. Where telling
 * would take too much work, a thread is taken for the heir of all threads of its rule: a match may then be said to
 * have begun earlier than it did.
 */
type Trace = FineTrace | CoarseTrace;

interface FineTrace {
  readonly kind: "fine";
  /** A source and an index into the new state's threads, by turns. */
  readonly moves: Int32Array;
  /** Pairs of a source and the counter that it enters. */
  readonly enters: readonly (readonly [number, number])[];
}

interface CoarseTrace {
  readonly kind: "coarse";
  /** The rules of the old state's threads, and of the new state's. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** A transition from one state to another, on a character of class `cls` that begins at offset `from`. */
export interface Move {
  readonly before: number;
  readonly after: number;
  readonly cls: number;
  readonly from: number;
}

/** A change of state because a thread, of a match that began at `begin`, leaves a counter. */
export interface Departure {
  readonly before: number;
  readonly after: number;
  readonly counter: number;
  readonly begin: number;
}

/** Parallel to the threads of a machine's current state. */
export class Begins {
  #offsets: number[];
  /** By the entry of the transition: the offset of the state before, plus the class. */
  readonly #traces = new Map<number, Trace>();
  /** Whose transitions they are, once that may have changed. */
  #tracesOf: Dfa | undefined;
  /** Entries of all traces that are kept. */
  #kept = 0;

  constructor(size: number, offset: number) {
    this.#offsets = new Array<number>(size).fill(offset);
  }

  copy(): Begins {
    const copy = new Begins(0, 0);
    copy.#offsets = [...this.#offsets];
    return copy;
  }

  /** The least of all offsets, but for rules that have fired. `state` is the current one. */
  oldest(dfa: Dfa, state: number, fired: Uint8Array): number {
    const { rule } = dfa.parts.nfa;
    const threads = dfa.threadsOf(state);
    let oldest = Infinity;
    for (let k = 0; k < threads.length; k++) {
      if (fired[rule[dfa.sim.store.nodeOf(threads[k] ?? 0)] ?? 0] === 1) continue;
      oldest = Math.min(oldest, this.#offsets[k] ?? Infinity);
    }
    return oldest;
  }

  clear(): void {
    this.#offsets = [];
  }

  /** Follows a transition. Gives where the match that enters a counter on it began. */
  step(dfa: Dfa, move: Move): (counter: number) => number {
    const key = move.before + move.cls;
    let trace = this.#traces.get(key);
    if (trace === undefined) {
      const { work } = dfa.sim.store;
      const { plenty } = work;
      trace = work.unbroken(() => traceStep(dfa, move, plenty));
      this.#keep(key, trace);
    }
    return this.#follow(dfa, trace, dfa.threadsOf(move.after).length, move.from);
  }

  /** Follows a thread out of a counter. Gives where the match that enters another counter on it began. */
  depart(dfa: Dfa, departure: Departure): (entered: number) => number {
    const { work } = dfa.sim.store;
    const trace = work.unbroken(() => traceDeparture(dfa, departure));
    work.charge(entriesOf(trace));
    return this.#follow(dfa, trace, dfa.threadsOf(departure.after).length, departure.begin);
  }

  /** The current state is written anew: `threads` names the old threads in the new writing, or leaves them out. */
  rewrite(dfa: Dfa, state: number, threads: readonly (number | undefined)[]): void {
    const indexOf = threadIndex(dfa, state);
    const moves: number[] = [];
    threads.forEach((thread, source) => {
      if (thread !== undefined) moves.push(source, indexOf(thread));
    });
    if (dfa !== this.#tracesOf) this.#forget();
    this.#tracesOf = dfa;
    this.#followFine(
      { kind: "fine", moves: Int32Array.from(moves), enters: [] },
      dfa.threadsOf(state).length,
      Infinity,
    );
  }

  #keep(key: number, trace: Trace): void {
    this.#kept += entriesOf(trace);
    if (this.#kept > MOST_ENTRIES) this.#forget();
    this.#traces.set(key, trace);
  }

  #forget(): void {
    this.#traces.clear();
    this.#kept = 0;
  }

  #follow(dfa: Dfa, trace: Trace, size: number, newcomer: number): (counter: number) => number {
    dfa.sim.store.work.charge(entriesOf(trace) / ENTRIES_A_STEP);
    return trace.kind === "fine"
      ? this.#followFine(trace, size, newcomer)
      : this.#followCoarse(dfa, trace, newcomer);
  }

  #followCoarse(dfa: Dfa, { from, to }: CoarseTrace, newcomer: number): (counter: number) => number {
    const least = new Map<number, number>();
    from.forEach((rule, source) => {
      least.set(rule, Math.min(least.get(rule) ?? newcomer, this.#offsets[source] ?? Infinity));
    });
    this.#offsets = to.map((rule) => least.get(rule) ?? newcomer);
    return (counter) => least.get(dfa.parts.nfa.counters[counter]?.rule ?? 0) ?? newcomer;
  }

  #followFine(trace: FineTrace, size: number, newcomer: number): (counter: number) => number {
    const old = this.#offsets;
    const moved = new Array<number>(size).fill(Infinity);
    const { moves } = trace;
    for (let k = 0; k < moves.length; k += 2) {
      const source = moves[k] ?? NEWCOMER;
      const offset = source === NEWCOMER ? newcomer : (old[source] ?? Infinity);
      const target = moves[k + 1] ?? 0;
      if (offset < (moved[target] ?? Infinity)) moved[target] = offset;
    }
    this.#offsets = moved;
    if (trace.enters.length === 0) return NOWHERE;
    const offsetOf = (source: number) => (source === NEWCOMER ? newcomer : (old[source] ?? Infinity));
    const least = new Map<number, number>();
    for (const [source, entered] of trace.enters) {
      least.set(entered, Math.min(least.get(entered) ?? Infinity, offsetOf(source)));
    }
    return (counter) => least.get(counter) ?? Infinity;
  }
}

function traceStep(dfa: Dfa, { before, after, cls }: Move, plenty: boolean): Trace {
  const context = dfa.contextOf(before);
  const indexOf = threadIndex(dfa, after);
  const moves: number[] = [];
  const enters: [number, number][] = [];
  const { work } = dfa.sim.store;
  const most = work.taken + TRACE_STEPS;
  const note = (source: number, step: ThreadStep) => {
    for (const thread of step.threads) moves.push(source, indexOf(thread));
    for (const counter of [...step.entersBefore, ...step.enters]) enters.push([source, counter]);
  };
  const threads = dfa.threadsOf(before);
  for (let source = 0; source < threads.length; source++) {
    if (work.taken > most || !plenty) return coarseTrace(dfa, before, after);
    note(source, stepThreads(dfa.sim, threads.subarray(source, source + 1), { from: context, cls }));
  }
  note(NEWCOMER, dfa.seeds.step(context, cls));
  return { kind: "fine", moves: Int32Array.from(moves), enters };
}

function coarseTrace(dfa: Dfa, before: number, after: number): CoarseTrace {
  const { nfa } = dfa.parts;
  const rules = (state: number) =>
    Array.from(dfa.threadsOf(state), (thread) => nfa.rule[dfa.sim.store.nodeOf(thread)] ?? 0);
  return { kind: "coarse", from: rules(before), to: rules(after) };
}

/** Steps that a trace may take, but for the last thread's. */
const TRACE_STEPS = 5_000;
/** Entries of traces that are kept: some 10 MB. */
const MOST_ENTRIES = 2_000_000;
/** Entries that are followed in the time of a step. */
const ENTRIES_A_STEP = 16;

function entriesOf(trace: Trace): number {
  return trace.kind === "fine"
    ? trace.moves.length + trace.enters.length
    : trace.from.length + trace.to.length;
}

function traceDeparture(dfa: Dfa, { before, after, counter }: Departure): Trace {
  const indexOf = threadIndex(dfa, after);
  const left = dfa.departing(dfa.contextOf(before), counter);
  const moves: number[] = [];
  dfa.threadsOf(before).forEach((thread, source) => {
    moves.push(source, indexOf(thread));
  });
  for (const thread of left.threads) moves.push(NEWCOMER, indexOf(thread));
  return {
    kind: "fine",
    moves: Int32Array.from(moves),
    enters: left.enters.map((entered) => [NEWCOMER, entered]),
  };
}

/** The index of a thread in a state, or of the thread without obligations that stands there for it. */
function threadIndex(dfa: Dfa, state: number): (thread: number) => number {
  const index = new Map(Array.from(dfa.threadsOf(state), (thread, k) => [thread, k]));
  const { store } = dfa.sim;
  return (thread) => index.get(thread) ?? index.get(store.nodeOf(thread)) ?? 0;
}
