// The work of an automaton in one stream, counted in steps: a thread followed over a node, a thread moved over a
// character, a counter looked at. What a text may take grows with what has been read of it, up to a limit, and what one
// character may take is limited too, so that no stretch of it can take long. Who has taken how much is kept, so that
// the right rules are given up.

import { lookbehindsByRule } from "./lookbehinds.ts";
import type { Nfa } from "./nfa.ts";

export interface WorkLimits {
  readonly maxSteps: number;
  readonly maxStepsPerUnit: number;
}

/** The steps allowed are spent. */
export class TooMuchWork extends Error {
  override readonly name = "TooMuchWork";
}

/** What takes less than following a thread, or more, in steps. */
export const STEPS_OF = {
  /** A running counter that is looked at. */
  counter: 1 / 8,
  /** A counter that is entered. */
  entry: 1 / 2,
  /** A thread that leaves its counter, even if the cache knows where to. */
  departure: 4,
  /** A cell of an empty table. */
  cell: 1 / 32,
} as const;

export class Work {
  /** Steps taken in all streams. */
  taken = 0;
  #limits: WorkLimits;
  readonly #nfa: Nfa;
  readonly #ruleCount: number;
  /** Steps by rule, and behind those by lookbehind. */
  readonly #spent: Float64Array;
  /** How far `taken` may go with what has been read so far, and how far with the character that is being read. */
  #most = 0;
  #mostHere = 0;
  #read = 0;

  constructor(nfa: Nfa, ruleCount: number, limits: WorkLimits) {
    this.#nfa = nfa;
    this.#ruleCount = ruleCount;
    this.#limits = limits;
    this.#spent = new Float64Array(ruleCount + nfa.lookbehinds.length);
    this.restart();
  }

  /** Units of the stream that have been read. */
  get unitsRead(): number {
    return this.#read;
  }

  get overspent(): boolean {
    return this.taken > this.#mostHere;
  }

  /** There is so much left that some may be spent on what can do with less. */
  get plenty(): boolean {
    return this.#most - this.taken > PLENTY * this.#limits.maxSteps;
  }

  /** A stream begins. */
  restart(): void {
    const { maxSteps } = this.#limits;
    this.#most = this.taken + FIRST * maxSteps;
    this.#mostHere = this.taken + maxSteps;
    this.#read = 0;
    this.#spent.fill(0);
  }

  /** `units` of the stream have been read. */
  readTo(units: number): void {
    if (units <= this.#read) return;
    const { maxSteps, maxStepsPerUnit } = this.#limits;
    const earned = this.#most + maxStepsPerUnit * (units - this.#read);
    this.#most = Math.max(this.#most, Math.min(this.taken + SAVED * maxSteps, earned));
    this.#mostHere = Math.min(this.#most, this.taken + maxSteps);
    this.#read = units;
  }

  /** Takes a step at a node. Throws `TooMuchWork` if there was none left. */
  spend(node: number): void {
    const rule = this.#nfa.rule[node] ?? 0;
    const owner = rule >= 0 ? rule : this.#ruleCount + (this.#nfa.lookbehind[node] ?? 0);
    this.#spent[owner] = (this.#spent[owner] ?? 0) + 1;
    if (++this.taken > this.#mostHere) throw new TooMuchWork("too many steps");
  }

  /** Takes steps at no node, of a rule if given. Never throws: that too much was taken is found out later. */
  charge(steps: number, rule?: number): void {
    this.taken += steps;
    if (rule !== undefined) this.#spent[rule] = (this.#spent[rule] ?? 0) + steps;
  }

  /** Throws `TooMuchWork` if more has been taken than is allowed. */
  check(): void {
    if (this.overspent) throw new TooMuchWork("too many steps");
  }

  /** Does what is bounded by work already done, and must not be broken off. */
  unbroken<T>(run: () => T): T {
    const mostHere = this.#mostHere;
    this.#mostHere = Infinity;
    try {
      return run();
    } finally {
      this.#mostHere = mostHere;
    }
  }

  /** The rules that have taken the most, half of all together. `load` is what each has to do now, by rule. */
  heaviest(rules: readonly number[], load: ReadonlyMap<number, number>): readonly number[] {
    const behind = lookbehindsByRule(this.#nfa);
    const costs = rules.map((rule) => {
      const shared = (behind.get(rule) ?? []).map((index) => this.#spent[this.#ruleCount + index] ?? 0);
      const cost = 1 + (this.#spent[rule] ?? 0) + (load.get(rule) ?? 0);
      return { rule, cost: shared.reduce((sum, steps) => sum + steps, cost) };
    });
    costs.sort((a, b) => b.cost - a.cost || a.rule - b.rule);
    let half = costs.reduce((sum, { cost }) => sum + cost, 0) / 2;
    const heaviest: number[] = [];
    for (const { rule, cost } of costs) {
      if (half <= 0 && heaviest.length > 0) break;
      heaviest.push(rule);
      half -= cost;
    }
    return heaviest;
  }

  /** Rules have been given up: the others get enough for a few steps, and a clean sheet. */
  relieve(): void {
    const relieved = this.taken + this.#limits.maxSteps / RELIEF;
    this.#most = Math.max(this.#most, relieved);
    this.#mostHere = Math.max(this.#mostHere, relieved);
    this.#spent.fill(0);
  }

  /** The limits are halved, because the rules are spread over two automata. */
  halve(): void {
    const { maxSteps, maxStepsPerUnit } = this.#limits;
    this.#limits = { maxSteps: maxSteps / 2, maxStepsPerUnit: maxStepsPerUnit / 2 };
    this.#most = this.taken + (this.#most - this.taken) / 2;
  }
}

/** What there is when a stream begins, and what may be saved up later, in terms of what one character may take. */
const FIRST = 20;
const SAVED = 5;
/** In the same terms, what is plenty. */
const PLENTY = 3;
/** After rules have been given up, this share of what a character may take is there at once. */
const RELIEF = 4;
