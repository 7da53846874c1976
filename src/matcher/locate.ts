// Where a rule matches, found once for display or for cutting the match out, after the rule has fired.

import type { StreamPattern } from "./matcher.ts";
import type { MatcherOptions } from "./options.ts";
import { parsePattern } from "./pattern.ts";

/** What to locate, and in what. */
export interface LocateRequest {
  readonly rule: StreamPattern;
  /** The text of the stream, from its beginning. */
  readonly text: string;
  /** Only matches that begin here or later; what is before is context. Default 0. */
  readonly from?: number;
  /**
   * The offset of a fire. Given, only the units before it are looked at, as if anything might follow: the answer is
   * the leftmost match that ends there. Absent, `text` is the whole stream and the answer is what `exec` would find.
   */
  readonly decidedAt?: number;
  readonly options?: MatcherOptions;
}

/** `start` and `end` in UTF-16 units; `pattern` is the index of the pattern in its rule. */
export type Located =
  | { readonly kind: "match"; readonly start: number; readonly end: number; readonly pattern: number }
  | { readonly kind: "none" }
  /** The step budget was spent before an answer. */
  | { readonly kind: "gaveUp" };

/** The leftmost match of the rule's patterns; of several that begin there, the one of the first pattern. */
export function locateMatch(request: LocateRequest): Located {
  const { rule, from = 0, decidedAt = request.text.length } = request;
  const text = request.text.slice(0, decidedAt);
  let best: Located = { kind: "none" };
  rule.patterns.forEach((source, pattern) => {
    const parsed = parsePattern(source, rule.flags);
    const expression = new RegExp(parsed.source, `${parsed.flagText}g`);
    expression.lastIndex = from;
    const found = expression.exec(text);
    if (found === null || (best.kind === "match" && best.start <= found.index)) return;
    best = { kind: "match", start: found.index, end: found.index + found[0].length, pattern };
  });
  return best;
}
