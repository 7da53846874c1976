// Where a rule matches, found once for display or for cutting the match out, after the rule has fired.

import { BudgetSpent, CERTAIN, matchAt } from "./backtrack.ts";
import { startsFrom } from "./input.ts";
import type { StreamPattern } from "./matcher.ts";
import { limitsOf, type MatcherOptions } from "./options.ts";
import { parsePattern } from "./pattern.ts";
import { compileProgram } from "./program.ts";

/** What to locate, and in what. */
export interface LocateRequest {
  readonly rule: StreamPattern;
  /** The text of the stream, from its beginning. */
  readonly text: string;
  /** Only matches that begin here or later; what is before is context. Default 0. */
  readonly from?: number;
  /**
   * The offset of a fire. Given, only the units before it are looked at, as if anything might follow: the answer is
   * the leftmost match that is certain there. Absent, `text` is the whole stream and the answer is what `exec` would
   * find.
   */
  readonly decidedAt?: number;
  /** `stepsPerUnit` bounds the search, and in a long text a fixed number of steps. */
  readonly options?: MatcherOptions;
}

/** `start` and `end` in UTF-16 units; `pattern` is the index of the pattern in its rule. */
export type Located =
  | { readonly kind: "match"; readonly start: number; readonly end: number; readonly pattern: number }
  | { readonly kind: "none" }
  /** The step budget was spent before an answer. */
  | { readonly kind: "gaveUp" };

/** Steps beyond those for each unit of text, and the most in all: about a second. */
const FIRST_STEPS = 1_000_000;
const MOST_STEPS = 100_000_000;

/** The leftmost match of the rule's patterns; of several that begin there, the one of the first pattern. */
export function locateMatch(request: LocateRequest): Located {
  const { rule, decidedAt } = request;
  const ended = decidedAt === undefined;
  const text = ended ? request.text : request.text.slice(0, decidedAt);
  const { stepsPerUnit } = limitsOf(request.options ?? {});
  const budget = { stepsLeft: Math.min(MOST_STEPS, FIRST_STEPS + stepsPerUnit * text.length) };
  let best: Located = { kind: "none" };
  try {
    rule.patterns.forEach((source, pattern) => {
      const program = compileProgram(parsePattern(source, rule.flags));
      const input = { text, ended };
      for (const start of startsFrom(program.overPoints, input, request.from ?? 0)) {
        if (best.kind === "match" && best.start <= start) return;
        const attempt = matchAt(program, input, start, budget);
        if (attempt.verdict !== CERTAIN) continue;
        best = { kind: "match", start, end: attempt.end, pattern };
        return;
      }
    });
  } catch (error) {
    if (error instanceof BudgetSpent) return { kind: "gaveUp" };
    throw error;
  }
  return best;
}
