// Which of many regular expressions match a text that arrives in pieces, and where that is first certain. What is
// reported depends on the text alone, never on how it was cut. docs/matcher.md says how, and has a map of this folder.

import { Lane } from "./lane.ts";
import type { Machine } from "./machine.ts";
import { limitsOf, type MatcherOptions } from "./options.ts";
import type { ParsedPattern } from "./pattern.ts";
import { compileProgram } from "./program.ts";
import { buildRuleSet } from "./rule-set.ts";
import { SlowLane } from "./slow-lane.ts";

/** One rule: it fires when any of its patterns matches. A pattern may begin with a `(?imsu)` group that adds flags. */
export interface StreamPattern {
  readonly id: string;
  readonly patterns: readonly string[];
  /** Flags of all patterns: `i`, `m`, `s`, and `u` or `v`. */
  readonly flags?: string;
}

/** A rule that fired. */
export interface Fire {
  readonly id: string;
  /** UTF-16 units read when the match became certain, whatever follows. Not the end of the longest match. */
  readonly at: number;
  /** Only the end of the stream made it certain. */
  readonly atEnd: boolean;
}

/** A rule that stopped looking in this stream because its budget was spent, and the units it had read. */
export interface GaveUp {
  readonly id: string;
  readonly at: number;
}

/** What `pushUntilFire` read and what fired at the last unit of it. */
export interface PartialPush {
  readonly fires: readonly Fire[];
  /** Units of the chunk that were read; the rest is still to be pushed. */
  readonly read: number;
}

const NO_FIRES: readonly Fire[] = Object.freeze([]);

/** Units after which a matcher that was never asked for `idleFrom` stops keeping what the answer needs. */
const UNITS_BEFORE_FORGETTING = 256;
/** Units between two offsets at which the lanes look back on how it goes. */
const UNITS_BETWEEN_PAUSES = 1024;

/**
 * Matches rules against one stream at a time.
 *
 * ```ts
 * const matcher = new StreamMatcher([{ id: "no-any", patterns: [": any\\b"] }]);
 * matcher.push("let x: an");  // []
 * matcher.push("y = 1");      // [{ id: "no-any", at: 11, atEnd: false }]
 * matcher.end();              // []
 * matcher.restart();          // the next stream; what was learnt about the rules is kept
 * ```
 *
 * Fires come ordered by offset, then by the order of the rules; a rule fires once in a stream unless `rearm` is
 * called; a fire is never taken back. After `end()` nothing more is read until `restart()`.
 */
export class StreamMatcher {
  readonly #ids: readonly string[];
  readonly #lanes: readonly Lane[];
  readonly #slow: SlowLane;
  /** By rule number: it fired or gave up, and is not looked for. */
  readonly #fired: Uint8Array;
  /** Patterns that an automaton has given up since; see `#handOver`. */
  readonly #quick: (readonly ParsedPattern[])[];
  #keepsText: boolean;
  #gaveUp: GaveUp[] = [];
  #found: { readonly rule: number; readonly at: number; readonly atEnd: boolean }[] = [];
  readonly #rearmedAt = new Map<number, number>();
  #units = 0;
  #idleFrom = 0;
  #ended = false;
  #keepsBegins = true;
  #askedForIdle = false;
  /** The machine that reads chunks, if it is the only one and reading is all there is to do before `#nextPause`. */
  #soleMachine: Machine | undefined;
  #nextPause = 0;

  /** Throws `PatternError` if a pattern does not compile or is refused; `diagnosePattern` tells beforehand. */
  constructor(rules: readonly StreamPattern[], options: MatcherOptions = {}) {
    const limits = limitsOf(options);
    const { automata, slow, ruleCount, quick, mayNeedText } = buildRuleSet(rules, limits);
    this.#ids = rules.map(({ id }) => id);
    this.#fired = new Uint8Array(ruleCount);
    this.#quick = [...quick];
    this.#keepsText = mayNeedText || slow.length > 0;
    const listener = {
      fired: this.#fired,
      onMatch: (rule: number, at: number, begin = 0) => this.#onMatch(rule, at, begin),
      onGaveUp: (rule: number, at: number) => this.#onGaveUp(rule, at),
      onOverLimit: (rule: number, at: number) => this.#handOver(rule, at),
    };
    this.#lanes = automata.map((nfa) => new Lane({ nfa, ruleCount, limits, listener }));
    this.#slow = new SlowLane(listener, limits);
    for (const pattern of slow) this.#slow.add(pattern);
    for (const lane of this.#lanes) lane.keepBegins(true);
    this.restart();
  }

  /** The rules that stopped looking in this stream, in the order in which they did. */
  get gaveUp(): readonly GaveUp[] {
    return this.#gaveUp;
  }

  /** Reads `chunk` and gives the fires that the text so far decides, but for slow patterns, which may come later. */
  push(chunk: string): readonly Fire[] {
    const machine = this.#soleMachine;
    const units = this.#units + chunk.length;
    if (machine !== undefined && units < this.#nextPause) {
      machine.readUnits(chunk, this.#units);
      this.#units = units;
    } else if (!this.#ended) this.#read(chunk);
    return this.#found.length === 0 ? NO_FIRES : this.#takeFires();
  }

  /**
   * Reads `chunk` from unit `from` on, but stops behind the first unit at which something fires, so that a rule can
   * be armed again from exactly there. What fires before any text is given with nothing read.
   */
  pushUntilFire(chunk: string, from = 0): PartialPush {
    const first = Math.min(from, chunk.length);
    let next = first;
    while (this.#found.length === 0 && !this.#ended && next < chunk.length)
      next += this.#readUntilFire(chunk, next);
    const read = this.#found.length === 0 ? chunk.length - first : next - first;
    return { fires: this.#takeFires(), read };
  }

  /** The stream is over: gives what only the end decides. */
  end(): readonly Fire[] {
    if (!this.#ended) {
      this.#ended = true;
      for (const lane of this.#lanes) lane.end(this.#units);
      if (this.#keepsText) this.#slow.end();
    }
    this.#chooseMachine();
    return this.#takeFires();
  }

  /** A new stream begins: every rule is armed, and nothing has been read. Caches are kept. */
  restart(): void {
    this.#units = 0;
    this.#idleFrom = 0;
    this.#ended = false;
    this.#fired.fill(0);
    this.#gaveUp = [];
    this.#found = [];
    this.#rearmedAt.clear();
    this.#keepsText ||= !this.#slow.isEmpty;
    this.#slow.restart();
    for (const lane of this.#lanes) lane.restart();
    this.#chooseMachine();
    // A rule was handed over before any text; with the text kept it is looked for from the beginning.
    if (!this.#keepsText && !this.#slow.isEmpty) this.restart();
  }

  /**
   * The rule may fire again, by a match that begins at or after what has been read; what came before is context. A
   * rule that gave up stays so. A high surrogate whose partner has not come counts as not read.
   */
  rearm(id: string): void {
    if (this.#gaveUp.some((rule) => rule.id === id)) return;
    this.#ids.forEach((other, rule) => {
      if (other !== id) return;
      this.#rearmedAt.set(rule, this.#units);
      for (const number of [rule, ...this.#slow.rearm(rule)]) {
        this.#fired[number] = 0;
        for (const lane of this.#lanes) lane.rearm(number);
      }
    });
  }

  /**
   * The offset before which no match that may still come began: what stands before it is settled. Exact if it is
   * asked for from the beginning and few threads are alive; else it can be a lower bound. With slow patterns it can be
   * as late as their next check.
   */
  get idleFrom(): number {
    this.#askedForIdle = true;
    this.#keepBegins(true);
    const begins = [...this.#lanes, this.#slow].map((lane) => lane.oldestBegin(this.#units));
    this.#idleFrom = Math.max(this.#idleFrom, Math.min(this.#units, ...begins));
    return this.#idleFrom;
  }

  /** Reads a chunk in pieces: cut where more is done than reading, so that what is done does not depend on the chunks. */
  #read(chunk: string): void {
    for (let from = 0; from < chunk.length; ) {
      const piece = chunk.slice(from, from + this.#unitsToStop());
      this.#readPiece(piece);
      if (this.#keepsText) this.#slow.push(piece);
      from += piece.length;
    }
    this.#chooseMachine();
  }

  /** Reads some units, and none behind one on which something fires: just one, where more than one lane reads. */
  #readUntilFire(chunk: string, from: number): number {
    const [lane, another] = this.#lanes;
    if (lane === undefined || another !== undefined || this.#keepsText) {
      this.#read(chunk.charAt(from));
      return 1;
    }
    const read = lane.pushUntilFire(chunk.slice(from, from + this.#unitsToStop()), this.#units);
    this.#count(read);
    this.#chooseMachine();
    return read;
  }

  #readPiece(piece: string): void {
    for (const lane of this.#lanes) lane.push(piece, this.#units);
    this.#count(piece.length);
  }

  /** Units until the next offset at which something is to be done. */
  #unitsToStop(): number {
    const toPause = UNITS_BETWEEN_PAUSES - (this.#units % UNITS_BETWEEN_PAUSES);
    const toCheck = this.#keepsText ? this.#slow.unitsToCheck() : Infinity;
    const toForget = UNITS_BEFORE_FORGETTING - this.#units;
    return Math.min(toPause, toCheck, toForget > 0 ? toForget : Infinity);
  }

  #count(units: number): void {
    this.#units += units;
    if (this.#units % UNITS_BETWEEN_PAUSES === 0) for (const lane of this.#lanes) lane.pause(this.#units);
    if (this.#keepsBegins && !this.#askedForIdle && this.#units >= UNITS_BEFORE_FORGETTING)
      this.#keepBegins(false);
  }

  #keepBegins(keep: boolean): void {
    if (keep === this.#keepsBegins) return;
    this.#keepsBegins = keep;
    for (const lane of this.#lanes) lane.keepBegins(keep);
    this.#chooseMachine();
  }

  #chooseMachine(): void {
    const [lane] = this.#lanes;
    const isPlain = !this.#ended && !this.#keepsText && !this.#keepsBegins && this.#lanes.length === 1;
    this.#soleMachine = isPlain ? lane?.soleMachine : undefined;
    this.#nextPause = this.#units + this.#unitsToStop();
  }

  #takeFires(): readonly Fire[] {
    if (this.#found.length === 0) return NO_FIRES;
    const found = this.#found.map((fire) => ({ ...fire, at: this.#leastOffset(fire) }));
    this.#found = [];
    found.sort((a, b) => a.at - b.at || a.rule - b.rule);
    return found.map(({ rule, at, atEnd }) => ({ id: this.#ids[rule] ?? "", at, atEnd }));
  }

  /** Where a slow pattern of the rule may have been earlier, and that is too dear to tell, the rule has given up. */
  #leastOffset({ rule, at }: { readonly rule: number; readonly at: number }): number {
    const { least, isExact } = this.#slow.leastOffset(rule, at);
    if (!isExact) this.#onGaveUp(rule, least);
    return least;
  }

  #onMatch(rule: number, at: number, begin: number): void {
    this.#fired[rule] = 1;
    if (rule >= this.#ids.length) this.#slow.wake(rule, at, begin);
    else this.#found.push({ rule, at, atEnd: this.#ended });
  }

  #onGaveUp(rule: number, at: number): void {
    this.#fired[rule] = 1;
    const gaveUp = [...this.#gaveUp, { id: this.#ids[rule] ?? "", at }];
    this.#gaveUp = gaveUp.toSorted((a, b) => a.at - b.at);
  }

  /**
   * The rule needs more threads or steps than allowed. The backtracking engine takes its patterns over, in this stream
   * too if the text has been kept; a probe that needs too many means that its pattern never sleeps again.
   */
  #handOver(rule: number, at: number): void {
    if (rule >= this.#ids.length) {
      this.#slow.forgetProbe(rule);
      return;
    }
    for (const pattern of this.#quick[rule] ?? []) {
      this.#slow.add({ rule, program: compileProgram(pattern), probe: undefined }, this.#rearmedAt.get(rule));
    }
    this.#quick[rule] = [];
    if (!this.#keepsText && this.#fired[rule] !== 1) this.#onGaveUp(rule, at);
  }
}
