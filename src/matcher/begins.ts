// Where the matches under way began. A state says which threads are alive, not since when; this file keeps, beside
// the current state, the least offset at which a match that is now at each thread began.

import type { Dfa } from "./dfa.ts";
import { stepThreads, type ThreadStep } from "./step.ts";

/** The match that begins at the very place from which a step is made, or that leaves a counter there. */
const NEWCOMER = -1;

/** Who becomes whom on a transition. A source is an index into the old state's threads, or NEWCOMER. */
interface Trace {
  /** Pairs of a source and an index into the new state's threads. */
  readonly moves: readonly (readonly [number, number])[];
  /** Pairs of a source and the counter that it enters. */
  readonly enters: readonly (readonly [number, number])[];
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

  constructor(size: number, offset: number) {
    this.#offsets = new Array<number>(size).fill(offset);
  }

  copy(): Begins {
    const copy = new Begins(0, 0);
    copy.#offsets = [...this.#offsets];
    return copy;
  }

  at(thread: number): number {
    return this.#offsets[thread] ?? Infinity;
  }

  clear(): void {
    this.#offsets = [];
  }

  /** Follows a transition. Gives where the match that enters a counter on it began. */
  step(dfa: Dfa, move: Move): (counter: number) => number {
    const key = move.before + move.cls;
    let trace = this.#traces.get(key);
    if (trace === undefined) {
      trace = traceStep(dfa, move);
      this.#traces.set(key, trace);
    }
    return this.#follow(trace, dfa.threadsOf(move.after).length, move.from);
  }

  /** Follows a thread out of a counter. Gives where the match that enters another counter on it began. */
  depart(dfa: Dfa, departure: Departure): (entered: number) => number {
    const trace = traceDeparture(dfa, departure);
    return this.#follow(trace, dfa.threadsOf(departure.after).length, departure.begin);
  }

  /** The current state is written anew: `threads` names the old threads in the new writing, or leaves them out. */
  rewrite(dfa: Dfa, state: number, threads: readonly (number | undefined)[]): void {
    const indexOf = threadIndex(dfa, state);
    const moves: [number, number][] = [];
    threads.forEach((thread, source) => {
      if (thread !== undefined) moves.push([source, indexOf(thread)]);
    });
    this.#traces.clear();
    this.#follow({ moves, enters: [] }, dfa.threadsOf(state).length, Infinity);
  }

  #follow(trace: Trace, size: number, newcomer: number): (counter: number) => number {
    const old = this.#offsets;
    const offsetOf = (source: number) => (source === NEWCOMER ? newcomer : (old[source] ?? Infinity));
    const moved = new Array<number>(size).fill(Infinity);
    for (const [source, target] of trace.moves) {
      moved[target] = Math.min(moved[target] ?? Infinity, offsetOf(source));
    }
    this.#offsets = moved;
    return (counter) => {
      let least = Infinity;
      for (const [source, entered] of trace.enters) {
        if (entered === counter) least = Math.min(least, offsetOf(source));
      }
      return least;
    };
  }
}

function traceStep(dfa: Dfa, { before, after, cls }: Move): Trace {
  const context = dfa.contextOf(before);
  const indexOf = threadIndex(dfa, after);
  const moves: [number, number][] = [];
  const enters: [number, number][] = [];
  const note = (source: number, step: ThreadStep) => {
    for (const thread of step.threads) moves.push([source, indexOf(thread)]);
    for (const counter of [...step.entersBefore, ...step.enters]) enters.push([source, counter]);
  };
  dfa.threadsOf(before).forEach((thread, source) => {
    note(source, stepThreads(dfa.sim, [thread], { from: context, cls }));
  });
  note(NEWCOMER, dfa.seedStep(context, cls));
  return { moves, enters };
}

function traceDeparture(dfa: Dfa, { before, after, counter }: Departure): Trace {
  const indexOf = threadIndex(dfa, after);
  const left = dfa.departing(dfa.contextOf(before), counter);
  const moves: [number, number][] = Array.from(dfa.threadsOf(before), (thread, source) => [
    source,
    indexOf(thread),
  ]);
  for (const thread of left.threads) moves.push([NEWCOMER, indexOf(thread)]);
  return { moves, enters: left.enters.map((entered) => [NEWCOMER, entered]) };
}

/** The index of a thread in a state, or of the thread without obligations that stands there for it. */
function threadIndex(dfa: Dfa, state: number): (thread: number) => number {
  const index = new Map(Array.from(dfa.threadsOf(state), (thread, k) => [thread, k]));
  const { store } = dfa.sim;
  return (thread) => index.get(thread) ?? index.get(store.nodeOf(thread)) ?? 0;
}
