// What can be said about one pattern before any text: whether it compiles, what it costs, and what is odd about it.

import { BudgetSpent, CERTAIN, matchAt } from "./backtrack.ts";
import { addPattern, NeedsBacktracking } from "./nfa-build.ts";
import { createDraft } from "./nfa-draft.ts";
import { type Limits, limitsOf, type MatcherOptions } from "./options.ts";
import { overPoints, type ParsedPattern, PatternError, parsePattern } from "./pattern.ts";
import { compileProgram, type Program } from "./program.ts";

/** What `diagnosePattern` found. */
export type PatternDiagnosis =
  /** Not a regular expression. `index`: where in the source, in UTF-16 units from 0. */
  | { readonly kind: "invalid"; readonly message: string; readonly index: number }
  /** A regular expression, or flags, that this matcher does not take, and why. */
  | { readonly kind: "refused"; readonly message: string }
  | {
      readonly kind: "usable";
      /** It fires at offset 0, before any text. */
      readonly matchesEmpty: boolean;
      /** Why the budgeted backtracking engine has to decide it; absent if the automaton does. */
      readonly slow?: string;
      /** Nodes of its automaton, or steps of its program if it is slow: about what it costs in memory. */
      readonly size: number;
    };

/** Examines one pattern as `StreamMatcher` would take it. Never throws. */
export function diagnosePattern(source: string, flags = "", options: MatcherOptions = {}): PatternDiagnosis {
  try {
    const pattern = parsePattern(source, flags);
    const program = compileProgram(pattern);
    const matchesEmpty = matchesBeforeText(program);
    const automaton = automatonSize(pattern, limitsOf(options));
    return typeof automaton === "number"
      ? { kind: "usable", matchesEmpty, size: automaton }
      : { kind: "usable", matchesEmpty, size: program.code.length, slow: automaton.slow };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return error.index === undefined
      ? { kind: "refused", message: error.message }
      : { kind: "invalid", message: error.message, index: error.index };
  }
}

/** More than any sane pattern needs to reach its end without a character. */
const EMPTY_TEXT_STEPS = 100_000;

function matchesBeforeText(program: Program): boolean {
  try {
    const budget = { stepsLeft: EMPTY_TEXT_STEPS };
    return matchAt(program, { text: "", ended: false }, 0, budget).verdict === CERTAIN;
  } catch (error) {
    if (error instanceof BudgetSpent) return false;
    throw error;
  }
}

/** The nodes that the pattern takes in an automaton, or why it takes none. */
function automatonSize(
  pattern: ParsedPattern,
  { maxNodes, maxWays }: Limits,
): number | { readonly slow: string } {
  try {
    return addPattern(createDraft(overPoints(pattern.flags)), { rule: 0, pattern, maxNodes, maxWays });
  } catch (error) {
    if (error instanceof NeedsBacktracking) return { slow: error.message };
    throw error;
  }
}
