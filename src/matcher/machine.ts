// One automaton reading one stream: the current state, the running counters, and the cache of states behind them.
// The outcome depends on the characters read alone; a cache that is dropped on the way changes the speed only.

import { Begins } from "./begins.ts";
import { RunningCounters } from "./counters.ts";
import { Dfa, type DfaParts, type Edge } from "./dfa.ts";
import { halvesOf } from "./halves.ts";
import type { MachineListener } from "./listener.ts";
import { STEPS_OF, TooMuchWork, Work } from "./work.ts";

/** A share of characters that were new to the cache: above it, states multiply faster than they are used again. */
const THRASHING = 0.02;
/** The same, judged before the cache is full: with so many rules half matched that hardly a state comes twice. */
const HASTY_SHARE = 0.7;
const HASTY_UNITS = 2048;
/** Two machines share the memory that one had, down to this. */
const LEAST_BYTES = 2 ** 20;

export class Machine {
  /** The cache has not paid since it was last dropped: the rules had better be spread over two machines. */
  thrashing = false;
  /** Rules that were reported since the machine was made. */
  reported = 0;
  readonly #listener: MachineListener;
  readonly #counters: RunningCounters;
  readonly #ofUnit: Uint16Array;
  readonly #work: Work;
  #dfa: Dfa;
  #state: number;
  /** Where the matches under way began; undefined while nobody asks. */
  #begins: Begins | undefined;
  /** Every match under way began here or later; known also while beginnings are not kept. */
  #settled = 0;
  /** Only the state goes on with the text: no counter runs, and nobody asks where matches began. May lag as false. */
  #plain = true;
  #missed = 0;
  /** Units read since the cache was begun, up to the last pause at `#paused`. */
  #read = 0;
  #paused = 0;

  constructor(parts: DfaParts, listener: MachineListener) {
    this.#listener = listener;
    this.#ofUnit = parts.classes.ofUnit;
    this.#counters = new RunningCounters(parts.nfa, parts.classes);
    this.#work = new Work(parts.nfa, parts.rules.length, parts.limits);
    this.#dfa = new Dfa(parts, this.#work);
    this.#state = this.#work.unbroken(() => this.#dfa.initial());
  }

  /** Steps taken since the machine was made: see work.ts. */
  get stepsTaken(): number {
    return this.#work.taken;
  }

  /** Back to the beginning of a text. What needs no character matches at once. */
  restart(): void {
    this.#counters.clear();
    this.#begins?.clear();
    this.#settled = 0;
    this.#paused = 0;
    this.#work.restart();
    this.#state = this.#work.unbroken(() => this.#dfa.initial());
    const { fires } = this.#guarded(() => this.#dfa.seeds.at(this.#dfa.contextOf(this.#state)));
    this.#report(fires, 0, 0);
  }

  /**
   * Reads UTF-16 units, `base` of which have been read before. For automata over units. While the cache knows the way
   * and nothing is to be done on it, a unit is one look into the table: this is the loop that reads nearly all text.
   */
  readUnits(chunk: string, base: number): void {
    const ofUnit = this.#ofUnit;
    const { length } = chunk;
    for (let k = 0; k < length; k++) {
      if (this.#plain) {
        const { transitions } = this.#dfa;
        let state = this.#state;
        for (; k < length; k++) {
          const next = transitions[state + (ofUnit[chunk.charCodeAt(k)] ?? 0)] ?? 0;
          if (next <= 0) break;
          state = next;
        }
        this.#state = state;
      }
      if (k < length) this.step(ofUnit[chunk.charCodeAt(k)] ?? 0, base + k, base + k + 1);
    }
  }

  /** Reads on to the last place with no match under way, if nothing happens on the way there; gives its index. */
  skipIdle(chunk: string, from: number): number {
    const dfa = this.#dfa;
    if (this.#counters.anyActive || !dfa.isIdle(this.#state)) return from;
    let idle = from;
    let state = this.#state;
    for (let k = from; k < chunk.length; k++) {
      state = dfa.transitions[state + (this.#ofUnit[chunk.charCodeAt(k)] ?? 0)] ?? 0;
      if (state <= 0) break;
      if (state !== this.#state && !dfa.isIdle(state)) continue;
      this.#state = state;
      idle = k + 1;
    }
    return idle;
  }

  /** Reads one character, which begins at offset `from` and is known once `at` units have been read. */
  step(cls: number, from: number, at: number): void {
    const counters = this.#counters;
    if (counters.anyActive) this.#work.charge(counters.active * STEPS_OF.counter);
    if (this.#work.overspent) {
      this.#work.readTo(at);
      this.#guarded(() => this.#work.check());
    }
    if (counters.anyActive) for (const counter of counters.openBefore(cls)) this.#depart(counter, from);
    const entry = this.#dfa.transitions[this.#state + cls] || this.#build(cls, at);
    const edge = entry < 0 ? this.#dfa.edges[-entry] : undefined;
    const after = edge === undefined ? entry : edge.next;
    const begin = this.#beginOfFires(edge, from);
    const beginOf = this.#begins?.step(this.#dfa, { before: this.#state, after, cls, from });
    if (edge !== undefined) this.#enter(edge.entersBefore, beginOf);
    if (counters.anyActive) counters.advance(cls);
    this.#state = after;
    if (edge !== undefined) {
      this.#enter(edge.enters, beginOf);
      this.#report(edge.fires, at, begin);
    }
    if (counters.anyActive) for (const counter of counters.openNow()) this.#depart(counter, at);
    this.#plain = this.#begins === undefined && !counters.anyActive;
  }

  /** The text is over; `at` units have been read. */
  finish(at: number): void {
    this.#work.readTo(at);
    for (const counter of this.#counters.openAtEnd()) this.#depart(counter, at);
    const rules = this.#guarded(() => this.#dfa.acceptedAtEnd(this.#state));
    this.#report(rules, at, this.oldestBegin(at));
  }

  /** Drops what is under way for a rule, which may match again from here on. */
  rearm(rule: number): void {
    this.#counters.clearRule(rule);
    const { nfa } = this.#dfa.parts;
    const { store } = this.#dfa.sim;
    const kept = Array.from(this.#dfa.threadsOf(this.#state), (thread) =>
      nfa.rule[store.nodeOf(thread)] === rule ? undefined : thread,
    );
    const set = store.setOf(kept.filter((thread) => thread !== undefined));
    this.#rewrite(this.#dfa, this.#dfa.stateOf(this.#dfa.contextOf(this.#state), set), kept);
  }

  /** Takes note of a pause at offset `at`: if nothing is under way, nothing before it matters any more. */
  pause(at: number): void {
    this.#read += at - this.#paused;
    this.#paused = at;
    this.thrashing ||= this.#read >= HASTY_UNITS && this.#missed > HASTY_SHARE * this.#read;
    if (!this.#counters.anyActive && this.#dfa.isIdle(this.#state)) this.#settled = at;
  }

  /** Begins or ceases to keep where matches began. */
  keepBegins(keep: boolean): void {
    if (keep === (this.#begins !== undefined)) return;
    this.#begins = keep ? new Begins(this.#dfa.threadsOf(this.#state).length, this.#settled) : undefined;
    this.#plain = false;
  }

  /** The least offset at which a match under way may have begun; `at`, the units read, if none is. */
  oldestBegin(at: number): number {
    const begins = this.#begins;
    if (begins === undefined) return this.#settled;
    const { fired } = this.#listener;
    return Math.min(at, this.#counters.oldestBegin(fired), begins.oldest(this.#dfa, this.#state, fired));
  }

  /** Gives half of its rules to a new machine. Undefined if there is but one. */
  split(): Machine | undefined {
    this.thrashing = false;
    const { parts } = this.#dfa;
    const halves = halvesOf(parts.rules, this.#dfa.loadByRule());
    if (halves === undefined) return undefined;
    const [mine, theirs] = halves;
    const other = new Machine(parts, this.#listener);
    other.#counters.takeOver(this.#counters, theirs);
    other.#dfa = this.#dfa;
    other.#state = this.#state;
    other.#settled = this.#settled;
    other.#paused = this.#paused;
    other.#begins = this.#begins?.copy();
    other.#plain = false;
    const limits = {
      ...parts.limits,
      maxBytes: Math.max(Math.min(LEAST_BYTES, parts.limits.maxBytes), parts.limits.maxBytes / 2),
    };
    this.#work.halve();
    other.#work.halve();
    other.#replaceDfa({ ...parts, limits, rules: theirs });
    this.#replaceDfa({ ...parts, limits, rules: mine });
    return other;
  }

  /** Tells of each rule that has not fired yet; what else is under way for it is of no interest then. */
  #report(rules: readonly number[], at: number, begin: number): void {
    for (const rule of rules) {
      if (this.#listener.fired[rule] === 1) continue;
      this.reported++;
      this.#listener.onMatch(rule, at, begin);
      this.#counters.clearRule(rule);
    }
  }

  /** Whether the machine still looks for a counter's rule, of which it may have been relieved meanwhile. */
  #wants(counter: number): boolean {
    const { nfa, rules } = this.#dfa.parts;
    const rule = nfa.counters[counter]?.rule ?? 0;
    return rules[rule] === 1 && this.#listener.fired[rule] !== 1;
  }

  #enter(counters: readonly number[], beginOf: ((counter: number) => number) | undefined): void {
    if (counters.length === 0) return;
    this.#work.charge(counters.length * STEPS_OF.entry);
    for (const counter of counters) {
      if (!this.#wants(counter)) continue;
      this.#counters.enter(counter, beginOf === undefined ? this.#settled : beginOf(counter));
    }
  }

  /** A thread leaves a counter where it stands, at offset `at`. */
  #depart(counter: number, at: number): void {
    this.#work.readTo(at);
    this.#work.charge(STEPS_OF.departure, this.#dfa.parts.nfa.counters[counter]?.rule);
    // Its rule may be dropped for too many threads in this very attempt, so that there is nothing to leave any more.
    const edge = this.#guarded(() =>
      this.#wants(counter) ? this.#dfa.departure(this.#state, counter) : undefined,
    );
    if (edge === undefined) return;
    const oldest = this.#beginOfFires(edge, at);
    const begin = this.#counters.beginOf(counter);
    const departure = { before: this.#state, after: edge.next, counter, begin };
    const beginOf = this.#begins?.depart(this.#dfa, departure);
    this.#state = edge.next;
    this.#enter(edge.enters, beginOf);
    this.#report(edge.fires, at, oldest);
  }

  /** Before a transition: no match that it completes begins earlier. Asked only where it completes one. */
  #beginOfFires(edge: Edge | undefined, at: number): number {
    return edge === undefined || edge.fires.length === 0 ? at : this.oldestBegin(at);
  }

  #build(cls: number, at: number): number {
    this.#missed++;
    this.#work.readTo(at);
    return this.#guarded(() => this.#dfa.build(this.#state, cls));
  }

  /** Does what may enlarge the cache, or find that rules need too many threads or steps; they are then dropped. */
  #guarded<T>(extend: () => T): T {
    if (this.#dfa.full) {
      this.thrashing ||= this.#missed > THRASHING * Math.max(this.#read, 1024);
      this.#replaceDfa(this.#dfa.parts);
    }
    for (;;) {
      try {
        return extend();
      } catch (error) {
        const { parts } = this.#dfa;
        const dropped = this.#dfa.overLimit(error, this.#state);
        if (dropped.length === 0) {
          if (error instanceof TooMuchWork) return this.#work.unbroken(extend);
          throw error;
        }
        const rules = parts.rules.slice();
        for (const rule of dropped) {
          rules[rule] = 0;
          this.#listener.onOverLimit(rule, this.#work.unitsRead);
        }
        this.#replaceDfa({ ...parts, rules });
        if (error instanceof TooMuchWork) this.#work.relieve();
      }
    }
  }

  /** Begins a new cache with nothing in it but the current state. */
  #replaceDfa(parts: DfaParts): void {
    const fresh = new Dfa(parts, this.#work);
    const { state, threads } = this.#work.unbroken(() => fresh.adopt(this.#dfa, this.#state));
    this.#work.charge(fresh.transitions.length * STEPS_OF.cell);
    for (const { rule } of parts.nfa.counters) if (parts.rules[rule] !== 1) this.#counters.clearRule(rule);
    this.#rewrite(fresh, state, threads);
    this.#missed = 0;
    this.#read = 0;
  }

  #rewrite(dfa: Dfa, state: number, threads: readonly (number | undefined)[]): void {
    this.#dfa = dfa;
    this.#state = state;
    this.#begins?.rewrite(dfa, state, threads);
  }
}
