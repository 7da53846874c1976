// The limits of a matcher, with their defaults. Exceeding one never changes an answer: matching goes slower,
// or `gaveUp` names the rule.

/** Limits. Each bounds time or memory; none changes which rules fire or where. */
export interface MatcherOptions {
  /** States kept in one automaton's cache before it is flushed. Default: what `maxBytes` allows, at most 20,000. */
  readonly maxStates?: number;
  /**
   * Bytes of the caches, transition tables and thread sets, for rules over units and for rules over code points each.
   * When rules are spread over many automata, each has at least 1 MiB of its own. Default 16 MiB.
   */
  readonly maxBytes?: number;
  /** Automata that the rules may be spread over when their states multiply. Default 32. */
  readonly maxMachines?: number;
  /** Threads alive at once in one automaton. Above, the rules with most of them become slow. Default 20,000. */
  readonly maxThreads?: number;
  /**
   * Nodes of one pattern's automaton; a pattern that needs more is slow. All patterns together may have 10 times as
   * many, and those that come too late for it a hundredth each. Default 100,000.
   */
  readonly maxNodes?: number;
  /**
   * Steps that one automaton may take for one character: a step follows a thread over a node or over a character, and
   * takes some 40 ns. Rules that need more become slow. Default 200,000.
   */
  readonly maxSteps?: number;
  /**
   * Steps that one automaton may take for each unit of text, on average: it begins with 20 times `maxSteps`, and saves
   * up 5 times as much at most. What its cache knows takes none. Rules that need more become slow. Default 1,500.
   */
  readonly maxStepsPerUnit?: number;
  /**
   * Ways on without a character, from all places of one pattern together: what `(?:a?){1000}` has a million of.
   * A pattern that has more is slow. Default 250,000.
   */
  readonly maxWays?: number;
  /** Units of text between two looks of the backtracking engine, at least. Default 256. */
  readonly checkEvery?: number;
  /**
   * Steps the backtracking engine may take for each unit of text before a rule gives up; for all rules together, three
   * times as many. What would pause a push for long is put off to the next check. Default 500.
   */
  readonly stepsPerUnit?: number;
}

export type Limits = Required<MatcherOptions>;

const DEFAULTS: Limits = {
  maxStates: 20_000,
  maxBytes: 16 * 2 ** 20,
  maxMachines: 32,
  maxThreads: 20_000,
  maxNodes: 100_000,
  maxSteps: 200_000,
  maxStepsPerUnit: 1_500,
  maxWays: 250_000,
  checkEvery: 256,
  stepsPerUnit: 500,
};

/** The options, with defaults for those that are not given. Throws `RangeError` for one that is no limit. */
export function limitsOf(options: MatcherOptions): Limits {
  const limits = { ...DEFAULTS, ...options };
  for (const [name, value] of Object.entries(limits)) {
    if (!(value >= 0)) throw new RangeError(`${name} must be a number from 0 on, not ${value}`);
  }
  return { ...limits, checkEvery: Math.max(1, Math.floor(limits.checkEvery)) };
}
