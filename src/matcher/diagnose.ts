// What can be said about one pattern before any text: whether it compiles, what it costs, and what is odd about it.

import type { MatcherOptions } from "./options.ts";
import { PatternError, parsePattern } from "./pattern.ts";

/** What `diagnosePattern` found. */
export type PatternDiagnosis =
  /** Not a regular expression. `index`: where in the source, in UTF-16 units from 0; absent if a flag is wrong. */
  | { readonly kind: "invalid"; readonly message: string; readonly index?: number }
  /** A regular expression that this matcher does not take, and why. */
  | { readonly kind: "refused"; readonly message: string }
  | {
      readonly kind: "usable";
      /** It fires at offset 0, before any text. */
      readonly matchesEmpty: boolean;
      /** Why the budgeted backtracking engine has to decide it; absent if the automaton does. */
      readonly slow?: string;
      /** Nodes of its automaton: about what it costs in memory and, cold, in time. */
      readonly nodes: number;
    };

/** Examines one pattern as `StreamMatcher` would take it. Never throws. */
export function diagnosePattern(source: string, flags = "", _options: MatcherOptions = {}): PatternDiagnosis {
  try {
    const parsed = parsePattern(source, flags);
    const matchesEmpty = new RegExp(parsed.source, parsed.flagText).test("");
    const slow = /\\[1-9]|\\k</.test(parsed.source) ? "it has a backreference" : undefined;
    const nodes = parsed.source.length;
    return slow === undefined
      ? { kind: "usable", matchesEmpty, nodes }
      : { kind: "usable", matchesEmpty, slow, nodes };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return error.index === undefined
      ? { kind: "refused", message: error.message }
      : { kind: "invalid", message: error.message, index: error.index };
  }
}
