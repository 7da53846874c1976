// Which lines fit into a budget: the most needed first; what does not fit is counted, never silently gone.

import { estimateTokens } from "../model/tokens.ts";
import type { Line } from "./line.ts";

/** A bullet and a newline. */
const LINE_OVERHEAD_BYTES = 3;
const encoder = new TextEncoder();

/** A line of this many bytes for each fact that it tells is as long as it may be without losing rank, and what each further byte costs. */
const FREE_BYTES = 70;
const BYTE_COST = 0.05;

/**
 * The lines that fit, the most needed first: by score, long lines later. `budget` is in tokens. A line that is too long
 * for what is left is passed over, and shorter ones after it may still fit.
 */
export function selectLines(lines: readonly Line[], budget: number): ReadonlySet<Line> {
  const ranked = lines
    .map((line, index) => {
      const size = encoder.encode(line.text).length + LINE_OVERHEAD_BYTES;
      return {
        line,
        index,
        size,
        rank: line.score - Math.max(0, size - FREE_BYTES * (line.facts ?? 1)) * BYTE_COST,
      };
    })
    .sort((a, b) => b.rank - a.rank || a.index - b.index);
  const kept = new Set<Line>();
  let bytes = 0;
  for (const { line, size } of ranked) {
    if (bytes + size > budget * 4) continue;
    kept.add(line);
    bytes += size;
  }
  return kept;
}

/** Tokens of a finished text. */
export const tokensOf = estimateTokens;
