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
  /** Threads alive at once in one automaton. Above, the rule with most of them becomes slow. Default 20,000. */
  readonly maxThreads?: number;
  /** Nodes of one pattern's automaton; a pattern that needs more is slow. Default 100,000. */
  readonly maxNodes?: number;
  /** Units of text between two looks of the backtracking engine, at least. Default 256. */
  readonly checkEvery?: number;
  /** Steps the backtracking engine may take for each unit of text before a rule gives up. Default 500. */
  readonly stepsPerUnit?: number;
}

export type Limits = Required<MatcherOptions>;

const DEFAULTS: Limits = {
  maxStates: 20_000,
  maxBytes: 16 * 2 ** 20,
  maxMachines: 32,
  maxThreads: 20_000,
  maxNodes: 100_000,
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
