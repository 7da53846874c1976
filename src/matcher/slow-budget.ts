// The steps that the backtracking engine may take: each pattern in a stream, all of them together, and at one check, so
// that no push pauses long. What others have taken makes a pattern wait, never give up.

import type { Turn } from "./slow-scan.ts";

/** The steps of one pattern in one stream. */
export interface Purse {
  left: number;
  taken: number;
  /** The units of text that have added to it. */
  earnedTo: number;
}

/** What the patterns may take together at one check, and one of them. */
export interface Share {
  left: number;
  readonly most: number;
}

export class SlowBudget {
  readonly #stepsPerUnit: number;
  /** Steps left for all patterns together. */
  #pool = 0;

  constructor(stepsPerUnit: number) {
    this.#stepsPerUnit = stepsPerUnit;
  }

  restart(): void {
    this.#pool = PATTERNS_AT_ONCE * this.#mostAtOnce;
  }

  /** So many units more have been read. */
  earn(units: number): void {
    this.#pool += PATTERNS_AT_ONCE * this.#stepsPerUnit * units;
  }

  newPurse(): Purse {
    return { left: FIRST_STEPS, taken: 0, earnedTo: 0 };
  }

  shareOfCheck(): Share {
    return { left: PATTERNS_AT_ONCE * this.#mostAtOnce, most: this.#mostAtOnce };
  }

  shareOfEnd(): Share {
    return { left: PATTERNS_AT_ONCE * MOST_AT_END, most: MOST_AT_END };
  }

  /** Runs a turn, and takes what it spends from all that have to give it. `length`: the units of the text. */
  spend<T>(purse: Purse, { share, length }: { share: Share; length: number }, run: (turn: Turn) => T): T {
    purse.left += this.#stepsPerUnit * (length - purse.earnedTo);
    purse.earnedTo = length;
    const reserve = STEPS_A_READ * length;
    const own = Math.min(purse.left, share.most + reserve);
    const most = Math.max(0, Math.min(own, this.#pool, share.left + reserve));
    const turn = {
      budget: { stepsLeft: most },
      pauseBelow: Math.min(reserve, most),
      isFresh: true,
      isWhole: most === own,
    };
    try {
      return run(turn);
    } finally {
      const taken = most - turn.budget.stepsLeft;
      purse.left -= taken;
      purse.taken += taken;
      this.#pool -= taken;
      share.left -= taken;
    }
  }

  get #mostAtOnce(): number {
    return FIRST_STEPS + UNITS_AT_ONCE * this.#stepsPerUnit;
  }
}

/** A turn that is taken from nobody: once for a rule that has fired, up to offset `at`. */
export function freeTurn(at: number): Turn {
  const reserve = STEPS_A_READ * at;
  return {
    budget: { stepsLeft: MOST_FOR_AN_OFFSET + reserve },
    pauseBelow: reserve,
    isFresh: true,
    isWhole: true,
  };
}

/** All patterns together have as many steps as so many. */
const PATTERNS_AT_ONCE = 3;

/** Steps that a pattern has before any text: enough for a short text to be decided. */
const FIRST_STEPS = 100_000;

/** At one check a pattern takes the steps of so many units at most, and besides what reads the text a few times. */
const UNITS_AT_ONCE = 1024;
const STEPS_A_READ = 8;

/** At the end nothing can be left for later: half a second, or two for all patterns together. */
const MOST_AT_END = 20_000_000;
const MOST_FOR_AN_OFFSET = 10_000_000;
