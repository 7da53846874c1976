// Running counters: `X{min,max}` for an X of one character, kept out of the automaton's states.
//
// Copying X max times would let the states multiply, because each of them would have to say which of the copies are
// alive. Here an automaton's state forgets a thread that enters a counter, and the counter remembers when it was
// entered. All threads in a counter read the same characters, so the first character that X does not take ends
// them all, and the time of entry is the whole truth about each.
//
// Invariant: `bounds` holds the times of entry as ranges `lo, hi, lo, hi, …`, ascending, and a thread that entered
// at time e can leave at every time from e + min to e + max. Entries whose times of leaving touch are kept as one
// range: what lies between the two could leave at no other times.

import { type CharClasses, isMember } from "./char-classes.ts";
import { CHAR, COUNT, type Counter, FAIL, type Nfa, SPLIT } from "./nfa.ts";

interface Run {
  readonly counter: number;
  readonly set: number;
  readonly min: number;
  readonly max: number;
  readonly rule: number;
  /** Classes of characters that anything behind the counter can read; undefined: it must be looked at at once. */
  readonly first: Uint8Array | undefined;
  bounds: number[];
  /** For each range, the least offset at which a match that is in it began. */
  begins: number[];
  /** Index of the oldest range; those before it have expired. */
  head: number;
  /** A thread can leave now. */
  open: boolean;
}

/** The counters of one automaton in one stream. */
export class RunningCounters {
  /** Characters read. */
  #time = 0;
  /** Some thread can leave its counter now. */
  #someOpen = false;
  readonly #active: Run[] = [];
  readonly #runs: (Run | undefined)[] = [];
  readonly #nfa: Nfa;
  readonly #classes: CharClasses;

  constructor(nfa: Nfa, classes: CharClasses) {
    this.#nfa = nfa;
    this.#classes = classes;
  }

  /** Counters that a thread is in. */
  get active(): number {
    return this.#active.length;
  }

  get anyActive(): boolean {
    return this.#active.length > 0;
  }

  clear(): void {
    for (const run of this.#active) reset(run);
    this.#active.length = 0;
    this.#someOpen = false;
  }

  /** Forgets what the counters of a rule hold. */
  clearRule(rule: number): void {
    for (let k = this.#active.length - 1; k >= 0; k--) if (this.#active[k]?.rule === rule) this.#retire(k);
  }

  /** Takes what another set of counters of the same automaton holds for some rules. */
  takeOver(other: RunningCounters, rules: Uint8Array): void {
    this.#time = other.#time;
    this.#someOpen = other.#someOpen;
    for (const run of other.#active) {
      if (rules[run.rule] !== 1) continue;
      const copy = { ...run, bounds: [...run.bounds], begins: [...run.begins] };
      this.#runs[run.counter] = copy;
      this.#active.push(copy);
    }
  }

  /** A thread of a match that began at offset `begin` enters now. */
  enter(counter: number, begin: number): void {
    const run = this.#run(counter);
    if (run.head === run.bounds.length) this.#active.push(run);
    const { bounds, begins, min, max } = run;
    const last = bounds.length - 1;
    if (run.head < bounds.length && this.#time + min <= (bounds[last] ?? 0) + max + 1) {
      bounds[last] = this.#time;
      begins[last >> 1] = Math.min(begins[last >> 1] ?? begin, begin);
    } else {
      bounds.push(this.#time, this.#time);
      begins.push(begin);
    }
  }

  /** All threads read a character of class `cls`. */
  advance(cls: number): void {
    const time = ++this.#time;
    this.#someOpen = false;
    for (let k = this.#active.length - 1; k >= 0; k--) {
      const run = this.#active[k];
      if (run === undefined) continue;
      if (isMember(this.#classes, run.set, cls)) dropExpired(run, time);
      else run.head = run.bounds.length;
      if (run.head === run.bounds.length) this.#retire(k);
      else {
        run.open = (run.bounds[run.head] ?? 0) + run.min <= time;
        this.#someOpen ||= run.open;
      }
    }
  }

  /** Counters that a thread can leave here, of those that must be looked at at once. */
  openNow(): readonly number[] {
    if (!this.#someOpen) return NONE;
    let found: number[] | undefined;
    for (const { open, first, counter } of this.#active)
      if (open && first === undefined) found = added(found, counter);
    return found ?? NONE;
  }

  /** Counters that a thread can leave here to read a character of class `cls`. */
  openBefore(cls: number): readonly number[] {
    if (!this.#someOpen) return NONE;
    let found: number[] | undefined;
    for (const { open, first, counter } of this.#active)
      if (open && first?.[cls] === 1) found = added(found, counter);
    return found ?? NONE;
  }

  /** All counters that a thread can leave here. */
  openAtEnd(): readonly number[] {
    return this.#active.filter(({ open }) => open).map(({ counter }) => counter);
  }

  /** Where the oldest match in a range that can be left now began. */
  beginOf(counter: number): number {
    const run = this.#run(counter);
    return run.begins[run.head >> 1] ?? 0;
  }

  /** The least offset at which a match under way in a counter began, leaving out rules that have fired. */
  oldestBegin(fired: Uint8Array): number {
    let oldest = Infinity;
    for (const run of this.#active) {
      if (fired[run.rule] === 1) continue;
      for (let k = run.head >> 1; k < run.begins.length; k++)
        oldest = Math.min(oldest, run.begins[k] ?? oldest);
    }
    return oldest;
  }

  #run(counter: number): Run {
    const known = this.#runs[counter];
    if (known !== undefined) return known;
    const description = this.#nfa.counters[counter];
    if (description === undefined) throw new RangeError(`there is no counter ${counter}`);
    const { set, min, max, rule } = description;
    const first = firstClasses(this.#nfa, this.#classes, description);
    const run = { counter, set, min, max, rule, first, bounds: [], begins: [], head: 0, open: false };
    this.#runs[counter] = run;
    return run;
  }

  #retire(index: number): void {
    const run = this.#active[index];
    const last = this.#active.pop();
    if (run === undefined || last === undefined) return;
    if (run !== last) this.#active[index] = last;
    reset(run);
  }
}

const NONE: readonly number[] = [];

function added(list: number[] | undefined, counter: number): number[] {
  if (list === undefined) return [counter];
  list.push(counter);
  return list;
}

function reset(run: Run): void {
  run.bounds.length = 0;
  run.begins.length = 0;
  run.head = 0;
  run.open = false;
}

/** Drops the ranges that cannot be left any more at `time`, or later. */
function dropExpired(run: Run, time: number): void {
  const { bounds, max } = run;
  while (run.head < bounds.length && (bounds[run.head + 1] ?? 0) + max < time) run.head += 2;
  if (run.head < 64 || 2 * run.head < bounds.length) return;
  run.bounds = bounds.slice(run.head);
  run.begins = run.begins.slice(run.head >> 1);
  run.head = 0;
}

/** The classes that a thread leaving the counter can read next; undefined if it may do anything else than read. */
function firstClasses(nfa: Nfa, classes: CharClasses, counter: Counter): Uint8Array | undefined {
  const first = new Uint8Array(classes.count);
  const seen = new Set<number>();
  const work = [counter.next];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    const arg = nfa.arg[node] ?? 0;
    switch (nfa.op[node]) {
      case SPLIT:
        work.push(arg, nfa.next[node] ?? 0);
        break;
      case FAIL:
        break;
      case CHAR:
      case COUNT: {
        const set = nfa.op[node] === CHAR ? arg : (nfa.counters[arg]?.set ?? 0);
        for (let cls = 0; cls < classes.count; cls++) {
          if (isMember(classes, set, cls)) first[cls] = 1;
        }
        break;
      }
      default:
        return undefined;
    }
  }
  return first;
}
