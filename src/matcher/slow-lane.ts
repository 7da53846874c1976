// Patterns that no automaton decides, looked at by the backtracking engine from time to time.
//
// A pattern sleeps until its superset automaton ("probe") has fired. From then on it is checked at multiples of
// `checkEvery` units and at the end: at offsets that depend on the text alone. A check finds the least offset at
// which the match was certain, so being late changes when a fire is told, not what it says. When a pattern has spent
// its steps, it stops for this stream and is reported; it is never taken for one that does not match.

import { type Budget, BudgetSpent, CERTAIN, matchAt, OPEN } from "./backtrack.ts";
import { endOf, type Input, readableEnd, startsFrom, upTo } from "./input.ts";
import type { Program } from "./program.ts";
import { StreamText } from "./stream-text.ts";

export interface SlowPattern {
  readonly rule: number;
  readonly program: Program;
  /** The rule number of its probe, or undefined if it has none and never sleeps. */
  readonly probe: number | undefined;
}

export interface SlowListener {
  /** 1 for each rule that is not looked for any more in this stream. */
  readonly fired: Uint8Array;
  onMatch(rule: number, at: number): void;
  onGaveUp(rule: number, at: number): void;
}

/** A pattern in one stream. */
interface Watch {
  readonly pattern: SlowPattern;
  readonly budget: Budget;
  awake: boolean;
  /** Starts before this one are settled, but for those in `open`. */
  from: number;
  /** Starts from which what has been read is the beginning of a match, ascending. */
  open: number[];
  /** The last check was here and found nothing certain. */
  checked: number;
  nextCheck: number;
}

export class SlowLane {
  readonly #listener: SlowListener;
  readonly #checkEvery: number;
  readonly #stepsPerUnit: number;
  readonly #patterns: SlowPattern[] = [];
  #watches: Watch[] = [];
  #text = new StreamText();
  /** Steps left for all patterns together. */
  #pool = 0;

  constructor(listener: SlowListener, limits: { checkEvery: number; stepsPerUnit: number }) {
    this.#listener = listener;
    this.#checkEvery = limits.checkEvery;
    this.#stepsPerUnit = limits.stepsPerUnit;
  }

  get isEmpty(): boolean {
    return this.#patterns.length === 0;
  }

  /** Adds a pattern, also in the middle of a stream: it then looks for matches that begin at `from` or later. */
  add(pattern: SlowPattern, from = 0): void {
    this.#patterns.push(pattern);
    this.#watches.push({ ...this.#watch(pattern), from, nextCheck: this.#text.length + this.unitsToCheck() });
  }

  /** The probe has fired: its pattern may match any time now. */
  wake(probe: number): void {
    for (const watch of this.#watches) if (watch.pattern.probe === probe) watch.awake = true;
  }

  /** The probe will not tell any more: its pattern never sleeps again. */
  forgetProbe(probe: number): void {
    this.wake(probe);
    this.#patterns.forEach((pattern, index) => {
      if (pattern.probe === probe) this.#patterns[index] = { ...pattern, probe: undefined };
    });
  }

  /** Units until the next offset at which a check can be due; a piece of text that is pushed must not be longer. */
  unitsToCheck(): number {
    return this.#checkEvery - (this.#text.length % this.#checkEvery);
  }

  restart(): void {
    this.#pool = this.#firstPool();
    this.#text = new StreamText();
    this.#watches = this.#patterns.map((pattern) => this.#watch(pattern));
  }

  push(piece: string): void {
    this.#text.push(piece);
    const most = this.#firstPool() + STEPS_A_READ * this.#text.length;
    this.#pool = Math.max(
      this.#pool,
      Math.min(most, this.#pool + PATTERNS_AT_ONCE * this.#stepsPerUnit * piece.length),
    );
    for (const watch of this.#watches) {
      if (watch.nextCheck > this.#text.length) continue;
      this.#check(watch, false);
      watch.nextCheck = this.#following(watch);
    }
  }

  end(): void {
    for (const watch of this.#watches) this.#check(watch, true);
  }

  /**
   * The least offset up to `at` at which one of the rule's patterns was certain, or `at`. For a rule that has fired
   * at `at` by another of its patterns.
   */
  leastOffset(rule: number, at: number): number {
    let least = at;
    for (const watch of this.#watches) {
      if (watch.pattern.rule !== rule || !watch.awake || watch.checked >= least) continue;
      const found = this.#look(watch, upTo(this.#inputOf(watch, false), least));
      if (typeof found === "number") least = found;
    }
    return least;
  }

  /**
   * The rule may match again, from here on. Gives the probes of its patterns, which are to be armed again too: until
   * they fire the patterns sleep.
   */
  rearm(rule: number): readonly number[] {
    const probes: number[] = [];
    for (const watch of this.#watches) {
      const { probe } = watch.pattern;
      if (watch.pattern.rule !== rule) continue;
      if (probe !== undefined) probes.push(probe);
      watch.awake = probe === undefined;
      watch.from = this.#text.length;
      watch.open = [];
    }
    return probes;
  }

  /** The least offset at which a match under way may have begun; `at`, the units read, if there is none. */
  oldestBegin(at: number): number {
    let oldest = at;
    for (const { awake, pattern, open, from } of this.#watches) {
      if (awake && this.#listener.fired[pattern.rule] !== 1) oldest = Math.min(oldest, open[0] ?? from);
    }
    return oldest;
  }

  #watch(pattern: SlowPattern): Watch {
    return {
      pattern,
      budget: { stepsLeft: FIRST_STEPS },
      awake: pattern.probe === undefined,
      from: 0,
      open: [],
      checked: 0,
      nextCheck: this.#checkEvery,
    };
  }

  /** What a watch has to read: the text from the oldest start that is not settled, with the character before it. */
  #inputOf({ pattern, open, from }: Watch, ended: boolean): Input {
    const needed = pattern.program.looksBehind ? 0 : (open[0] ?? from) - UNITS_OF_A_CHARACTER;
    return { ...this.#text.from(needed), ended };
  }

  /**
   * The check after this one. A match that stays open is tried anew at each check, so the more there is to read the
   * rarer the checks: all of them together cost a small multiple of it.
   */
  #following({ pattern, open, nextCheck }: Watch): number {
    const needed = pattern.program.looksBehind ? 0 : (open[0] ?? nextCheck);
    const periods = Math.floor((nextCheck - needed) / (8 * this.#checkEvery));
    return nextCheck + this.#checkEvery * Math.max(1, periods);
  }

  #firstPool(): number {
    return PATTERNS_AT_ONCE * this.#mostSaved();
  }

  #mostSaved(): number {
    return FIRST_STEPS + UNITS_SAVED * this.#stepsPerUnit;
  }

  #check(watch: Watch, ended: boolean): void {
    const { rule } = watch.pattern;
    if (!watch.awake || this.#listener.fired[rule] === 1) return;
    const found = this.#look(watch, this.#inputOf(watch, ended));
    if (found === "gave up") this.#listener.onGaveUp(rule, this.#text.length);
    else if (found !== undefined) this.#listener.onMatch(rule, found);
  }

  /** The least offset at which a match is certain on the input, if one is. */
  #look(watch: Watch, input: Input): number | "gave up" | undefined {
    const end = endOf(input);
    const { budget } = watch;
    const earned = budget.stepsLeft + this.#stepsPerUnit * Math.max(0, end - watch.checked);
    budget.stepsLeft = Math.min(earned, this.#mostSaved() + STEPS_A_READ * end);
    const kept = Math.max(0, budget.stepsLeft - this.#pool);
    budget.stepsLeft -= kept;
    this.#pool -= budget.stepsLeft;
    try {
      return findCertain(watch, input) ? leastOffset(watch, input) : undefined;
    } catch (error) {
      if (error instanceof BudgetSpent) return "gave up";
      throw error;
    } finally {
      this.#pool += budget.stepsLeft;
      budget.stepsLeft += kept;
      watch.checked = Math.max(watch.checked, end);
    }
  }
}

const UNITS_OF_A_CHARACTER = 2;

/** All patterns together have as many steps as so many, and never save up much more than at first. */
const PATTERNS_AT_ONCE = 3;

/** Steps that a pattern has before any text: enough for a short text to be decided. */
const FIRST_STEPS = 100_000;

/** However long it has slept: saved up are steps for so many units, and for reading the text a few times, at most. */
const UNITS_SAVED = 1024;
const STEPS_A_READ = 8;

/** Whether a match is certain. If none is, takes note of what stays open. */
function findCertain(watch: Watch, input: Input): boolean {
  const { program } = watch.pattern;
  const open: number[] = [];
  for (const start of startsOf(watch, input)) {
    const { verdict } = matchAt(program, input, start, watch.budget);
    if (verdict === CERTAIN) return true;
    if (verdict === OPEN) open.push(start);
  }
  watch.open = open;
  watch.from = Math.max(watch.from, readableEnd(program.overPoints, input) + 1);
  return false;
}

/** The least offset at which a match is certain; the end of the input if only the end of the text makes it so. */
function leastOffset(watch: Watch, input: Input): number {
  const certainAt = (end: number) => {
    const shorter = upTo(input, end);
    return startsOf(watch, shorter).some(
      (start) => matchAt(watch.pattern.program, shorter, start, watch.budget).verdict === CERTAIN,
    );
  };
  let least = watch.checked;
  let most = endOf(input);
  while (least < most) {
    const middle = (least + most) >> 1;
    if (certainAt(middle)) most = middle;
    else least = middle + 1;
  }
  return most;
}

/** The starts that are not settled, ascending. */
function startsOf({ pattern: { program }, open, from }: Watch, input: Input): number[] {
  return [...open.filter((start) => start <= endOf(input)), ...startsFrom(program.overPoints, input, from)];
}
