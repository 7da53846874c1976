// Patterns that no automaton decides, looked at by the backtracking engine from time to time.
//
// A pattern sleeps until its superset automaton ("probe") has fired. From then on it is checked at multiples of
// `checkEvery` units and at the end: at offsets that depend on the text alone. A check goes on with what the one before
// had no time for, and finds the least offset at which the match was certain, so being late changes when a fire is told,
// not what it says. When a pattern has spent its steps, or one start alone takes too many, it stops for this stream and
// is reported; it is never taken for one that does not match.

import { isHigh } from "../base/surrogates.ts";
import type { SlowListener } from "./listener.ts";
import type { Program } from "./program.ts";
import { freeTurn, type Purse, type Share, SlowBudget } from "./slow-budget.ts";
import {
  beginScan,
  goOn,
  neededFrom,
  type Outcome,
  type Reading,
  type Scan,
  type Settled,
  settledBy,
  type Turn,
} from "./slow-scan.ts";
import { StreamText } from "./stream-text.ts";

export interface SlowPattern {
  readonly rule: number;
  readonly program: Program;
  /** The rule number of its probe, or undefined if it has none and never sleeps. */
  readonly probe: number | undefined;
}

/** A pattern in one stream. */
interface Watch {
  pattern: SlowPattern;
  readonly purse: Purse;
  awake: boolean;
  settled: Settled;
  /** What there was no time for; or what has found a match, while another pattern of the rule may have an earlier one. */
  scan: Scan | undefined;
  nextCheck: number;
}

/** `isExact`: there was time to look at all of the rule's patterns. */
export interface LeastOffset {
  readonly least: number;
  readonly isExact: boolean;
}

/** `mayWait`: there will be another check, at which more may be known. */
interface Check {
  readonly ended: boolean;
  readonly mayWait: boolean;
}

export class SlowLane {
  readonly #listener: SlowListener;
  readonly #checkEvery: number;
  readonly #budget: SlowBudget;
  readonly #patterns: SlowPattern[] = [];
  #watches: Watch[] = [];
  #text = new StreamText();

  constructor(listener: SlowListener, limits: { checkEvery: number; stepsPerUnit: number }) {
    this.#listener = listener;
    this.#checkEvery = limits.checkEvery;
    this.#budget = new SlowBudget(limits.stepsPerUnit);
  }

  get isEmpty(): boolean {
    return this.#patterns.length === 0;
  }

  /** Adds a pattern, also in the middle of a stream: it then looks for matches that begin at `from` or later. */
  add(pattern: SlowPattern, from = 0): void {
    this.#patterns.push(pattern);
    const nextCheck = this.#text.length + this.unitsToCheck();
    this.#watches.push({ ...this.#watch(pattern), settled: { least: 0, from, open: [] }, nextCheck });
  }

  /** The probe has fired at `at`: its pattern may match from there on, by what begins at `begin` or later. */
  wake(probe: number, at: number, begin: number): void {
    for (const watch of this.#watches) {
      if (watch.pattern.probe !== probe) continue;
      watch.awake = true;
      const { least, from, open } = watch.settled;
      watch.settled = { least: Math.max(least, at), from: Math.max(from, begin), open };
    }
  }

  /** The probe will not tell any more: its pattern never sleeps again. */
  forgetProbe(probe: number): void {
    const withoutProbe = (pattern: SlowPattern) =>
      pattern.probe === probe ? { ...pattern, probe: undefined } : pattern;
    this.wake(probe, 0, 0);
    this.#patterns.forEach((pattern, index) => {
      this.#patterns[index] = withoutProbe(pattern);
    });
    for (const watch of this.#watches) watch.pattern = withoutProbe(watch.pattern);
  }

  /** Units until the next offset at which a check can be due; a piece of text that is pushed must not be longer. */
  unitsToCheck(): number {
    return this.#checkEvery - (this.#text.length % this.#checkEvery);
  }

  restart(): void {
    this.#budget.restart();
    this.#text = new StreamText();
    this.#watches = this.#patterns.map((pattern) => this.#watch(pattern));
  }

  push(piece: string): void {
    this.#text.push(piece);
    this.#budget.earn(piece.length);
    // Text comes unit by unit too: nothing is looked through between the offsets of checks.
    if (this.#text.length % this.#checkEvery !== 0) return;
    const share = this.#budget.shareOfCheck();
    for (const watch of leastTakenFirst(
      this.#watches.filter(({ nextCheck }) => nextCheck <= this.#text.length),
    )) {
      this.#check(watch, share, { ended: false, mayWait: true });
      watch.nextCheck = this.#following(watch);
    }
  }

  end(): void {
    const share = this.#budget.shareOfEnd();
    const watches = leastTakenFirst(this.#watches);
    for (const watch of watches) this.#check(watch, share, { ended: true, mayWait: true });
    for (const watch of watches) {
      if (watch.scan !== undefined) this.#check(watch, share, { ended: true, mayWait: false });
    }
  }

  /**
   * The least offset up to `at` at which one of the rule's patterns was certain, or `at`. For a rule that has fired
   * at `at` by another of its patterns.
   */
  leastOffset(rule: number, at: number): LeastOffset {
    return this.#leastOf(rule, at, (_, look) => look(freeTurn(at)));
  }

  /** The same, in turns that `inTurn` gives. */
  #leastOf(
    rule: number,
    at: number,
    inTurn: (watch: Watch, look: (turn: Turn) => Outcome) => Outcome,
  ): LeastOffset {
    let least = at;
    let isExact = true;
    for (const watch of this.#watches) {
      const { settled, pattern } = watch;
      if (pattern.rule !== rule || !watch.awake || settled.least >= least) continue;
      const scan = beginScan(settled, least, false);
      const outcome = inTurn(watch, (turn) => goOn(scan, this.#readingOf(pattern, scan), turn));
      least = scan.best ?? least;
      if (outcome === "done") watch.settled = { ...settled, least };
      else isExact = false;
    }
    return { least, isExact };
  }

  /**
   * The rule may match again, from here on. Gives the probes of its patterns, which are to be armed again too: until
   * they fire the patterns sleep.
   */
  rearm(rule: number): readonly number[] {
    const probes: number[] = [];
    for (const watch of this.#watches) {
      const { probe, program } = watch.pattern;
      if (watch.pattern.rule !== rule) continue;
      if (probe !== undefined) probes.push(probe);
      watch.awake = probe === undefined;
      const pending = program.overPoints && isHigh(this.#text.lastUnit);
      const from = this.#text.length - (pending ? 1 : 0);
      watch.settled = { least: watch.settled.least, from, open: [] };
      watch.scan = undefined;
    }
    return probes;
  }

  /** The least offset at which a match under way may have begun; `at`, the units read, if there is none. */
  oldestBegin(at: number): number {
    let oldest = at;
    for (const { awake, pattern, settled } of this.#watches) {
      if (awake && this.#listener.fired[pattern.rule] !== 1)
        oldest = Math.min(oldest, settled.open[0] ?? settled.from);
    }
    return oldest;
  }

  #watch(pattern: SlowPattern): Watch {
    return {
      pattern,
      purse: this.#budget.newPurse(),
      awake: pattern.probe === undefined,
      settled: { least: 0, from: 0, open: [] },
      scan: undefined,
      nextCheck: this.#checkEvery,
    };
  }

  /** What a scan has to read: the text from the first start it looks at, with the character before it. */
  #readingOf({ program }: SlowPattern, scan: Scan): Reading {
    const needed = program.looksBehind ? 0 : neededFrom(scan) - UNITS_OF_A_CHARACTER;
    const { text, base } = this.#text.from(needed);
    return { program, input: { text: text.slice(0, scan.end - base), base, ended: scan.ended } };
  }

  /**
   * The check after this one. A match that stays open is tried anew at each check, so the more there is to read the
   * rarer the checks: all of them together cost a small multiple of it.
   */
  #following({ pattern, settled, scan, nextCheck }: Watch): number {
    if (scan !== undefined) return nextCheck + this.#checkEvery;
    const needed = pattern.program.looksBehind ? 0 : (settled.open[0] ?? nextCheck);
    const periods = Math.floor((nextCheck - needed) / (8 * this.#checkEvery));
    return nextCheck + this.#checkEvery * Math.max(1, periods);
  }

  #check(watch: Watch, share: Share, { ended, mayWait }: Check): void {
    const { rule } = watch.pattern;
    if (!watch.awake || this.#listener.fired[rule] === 1) return;
    const parts = { share, length: this.#text.length };
    const outcome = this.#budget.spend(watch.purse, parts, (turn) => this.#look(watch, turn, ended));
    if (outcome === undefined) return;
    // One that has paused already says itself what it finds.
    const inTurn = ({ scan, purse }: Watch, look: (turn: Turn) => Outcome) =>
      scan === undefined ? this.#budget.spend(purse, parts, look) : "paused";
    const found = outcome === "gave up" ? undefined : this.#leastOf(rule, outcome, inTurn);
    if (found?.isExact) this.#listener.onMatch(rule, found.least);
    else if (found === undefined || !mayWait) this.#listener.onGaveUp(rule, this.#text.length);
  }

  /** The least offset at which a match is certain, if one is found now. */
  #look(watch: Watch, turn: Turn, ended: boolean): number | "gave up" | undefined {
    for (;;) {
      watch.scan ??= beginScan(watch.settled, this.#text.length, ended);
      const { scan } = watch;
      const reading = this.#readingOf(watch.pattern, scan);
      const outcome = goOn(scan, reading, turn);
      if (outcome !== "done") return ended || (outcome === "stuck" && turn.isWhole) ? "gave up" : undefined;
      if (scan.best !== undefined) {
        watch.settled = { ...watch.settled, least: scan.best };
        return scan.best;
      }
      watch.scan = undefined;
      watch.settled = settledBy(scan, reading);
      if (scan.end === this.#text.length && scan.ended === ended) return undefined;
    }
  }
}

const UNITS_OF_A_CHARACTER = 2;

/** Those that have taken little come before those that take all there is. */
function leastTakenFirst(watches: readonly Watch[]): readonly Watch[] {
  return watches.toSorted((a, b) => a.purse.taken - b.purse.taken);
}
