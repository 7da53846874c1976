// Patterns that no automaton decides, looked at by the backtracking engine from time to time.
//
// A pattern sleeps until its superset automaton ("probe") has fired. From then on it is checked at multiples of
// `checkEvery` units and at the end: at offsets that depend on the text alone. A check goes on with what the one before
// had no time for, and finds the least offset at which the match was certain, so being late changes when a fire is told,
// not what it says. When a pattern has spent its steps, or one start alone takes too many, it stops for this stream and
// is reported; it is never taken for one that does not match.

import { isHigh } from "../base/surrogates.ts";
import type { Budget } from "./backtrack.ts";
import type { Program } from "./program.ts";
import {
  beginScan,
  goOn,
  neededFrom,
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

export interface SlowListener {
  /** 1 for each rule that is not looked for any more in this stream. */
  readonly fired: Uint8Array;
  onMatch(rule: number, at: number): void;
  onGaveUp(rule: number, at: number): void;
}

/** A pattern in one stream. */
interface Watch {
  pattern: SlowPattern;
  /** Steps that it may still take in this stream, and up to where the text has added to them. */
  readonly budget: Budget;
  earnedTo: number;
  awake: boolean;
  settled: Settled;
  /** What there was no time for; or what has found a match, while another pattern of the rule may have an earlier one. */
  scan: Scan | undefined;
  nextCheck: number;
}

/** `mayWait`: there will be another check, at which more may be known. */
interface Check {
  readonly ended: boolean;
  readonly mayWait: boolean;
}

/** What the patterns may take together now, and one of them. */
interface Share {
  left: number;
  readonly most: number;
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
    const nextCheck = this.#text.length + this.unitsToCheck();
    this.#watches.push({ ...this.#watch(pattern), settled: { least: 0, from, open: [] }, nextCheck });
  }

  /** The probe has fired at `at`: its pattern may match from there on. */
  wake(probe: number, at: number): void {
    for (const watch of this.#watches) {
      if (watch.pattern.probe !== probe) continue;
      watch.awake = true;
      watch.settled = { ...watch.settled, least: Math.max(watch.settled.least, at) };
    }
  }

  /** The probe will not tell any more: its pattern never sleeps again. */
  forgetProbe(probe: number): void {
    const withoutProbe = (pattern: SlowPattern) =>
      pattern.probe === probe ? { ...pattern, probe: undefined } : pattern;
    this.wake(probe, 0);
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
    this.#pool = PATTERNS_AT_ONCE * this.#mostAtOnce;
    this.#text = new StreamText();
    this.#watches = this.#patterns.map((pattern) => this.#watch(pattern));
  }

  push(piece: string): void {
    this.#text.push(piece);
    this.#pool += PATTERNS_AT_ONCE * this.#stepsPerUnit * piece.length;
    const share = { left: PATTERNS_AT_ONCE * this.#mostAtOnce, most: this.#mostAtOnce };
    for (const watch of this.#watches) {
      if (watch.nextCheck > this.#text.length) continue;
      this.#check(watch, share, { ended: false, mayWait: true });
      watch.nextCheck = this.#following(watch);
    }
  }

  end(): void {
    const share = { left: PATTERNS_AT_ONCE * MOST_AT_END, most: MOST_AT_END };
    for (const watch of this.#watches) this.#check(watch, share, { ended: true, mayWait: true });
    for (const watch of this.#watches) {
      if (watch.scan !== undefined) this.#check(watch, share, { ended: true, mayWait: false });
    }
  }

  /**
   * The least offset up to `at` at which one of the rule's patterns was certain, or `at`. For a rule that has fired
   * at `at` by another of its patterns.
   */
  leastOffset(rule: number, at: number): number {
    return this.#leastOf(rule, at).least;
  }

  /** The same, and whether there was time to look at all of the rule's patterns. */
  #leastOf(rule: number, at: number): { readonly least: number; readonly isExact: boolean } {
    let least = at;
    let isExact = true;
    for (const watch of this.#watches) {
      const { settled, pattern } = watch;
      if (pattern.rule !== rule || !watch.awake || settled.least >= least) continue;
      const scan = beginScan(settled, least, false);
      const share = { left: this.#mostAtOnce, most: this.#mostAtOnce };
      const outcome =
        watch.scan === undefined
          ? this.#taking(watch, share, (turn) => goOn(scan, this.#readingOf(pattern, scan), turn))
          : "paused";
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
      budget: { stepsLeft: FIRST_STEPS },
      earnedTo: 0,
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

  /** Steps that a pattern may take in one check, so that no push pauses long. */
  get #mostAtOnce(): number {
    return FIRST_STEPS + UNITS_AT_ONCE * this.#stepsPerUnit;
  }

  #check(watch: Watch, share: Share, { ended, mayWait }: Check): void {
    const { rule } = watch.pattern;
    if (!watch.awake || this.#listener.fired[rule] === 1) return;
    // With less than its share, because others have taken theirs, no pattern is given up: it goes on at the next check.
    const isLast = ended || share.left >= share.most;
    const outcome = this.#taking(watch, share, (turn) => this.#look(watch, turn, { ended, isLast }));
    if (outcome === undefined) return;
    const found = outcome === "gave up" ? undefined : this.#leastOf(rule, outcome);
    if (found?.isExact) this.#listener.onMatch(rule, found.least);
    else if (found === undefined || !mayWait) this.#listener.onGaveUp(rule, this.#text.length);
  }

  /** Takes what a turn spends from all that have to give it. */
  #taking<T>(watch: Watch, share: Share, run: (turn: Turn) => T): T {
    const { budget } = watch;
    const { length } = this.#text;
    budget.stepsLeft += this.#stepsPerUnit * (length - watch.earnedTo);
    watch.earnedTo = length;
    const reserve = STEPS_A_READ * length;
    const most = Math.min(budget.stepsLeft, this.#pool, Math.min(share.left, share.most) + reserve);
    const turn = { budget: { stepsLeft: most }, pauseBelow: Math.min(reserve, most) };
    try {
      return run(turn);
    } finally {
      const taken = most - turn.budget.stepsLeft;
      budget.stepsLeft -= taken;
      this.#pool -= taken;
      share.left -= taken;
    }
  }

  /** The least offset at which a match is certain, if one is found now. */
  #look(
    watch: Watch,
    turn: Turn,
    { ended, isLast }: { readonly ended: boolean; readonly isLast: boolean },
  ): number | "gave up" | undefined {
    for (;;) {
      watch.scan ??= beginScan(watch.settled, this.#text.length, ended);
      const { scan } = watch;
      const reading = this.#readingOf(watch.pattern, scan);
      const outcome = goOn(scan, reading, turn);
      if (outcome === "stuck" ? isLast : ended && outcome === "paused") return "gave up";
      if (outcome !== "done") return undefined;
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

/** All patterns together have as many steps as so many. */
const PATTERNS_AT_ONCE = 3;

/** Steps that a pattern has before any text: enough for a short text to be decided. */
const FIRST_STEPS = 100_000;

/** At one check a pattern takes the steps of so many units at most, and besides what reads the text a few times. */
const UNITS_AT_ONCE = 1024;
const STEPS_A_READ = 8;
/** At the end nothing can be left for later: about a second. */
const MOST_AT_END = 50_000_000;
