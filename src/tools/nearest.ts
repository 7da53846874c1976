// The lines of a file that are most like a passage that was not found, so that the next attempt can be exact.

import { distance } from "fastest-levenshtein";

export interface NearestLines {
  /** From 1. */
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** Only white space differs. */
  readonly whitespaceOnly: boolean;
}

/** Only this much of a line is compared, and only this many places in detail: the answer must come at once. */
const COMPARED_CHARS = 200;
const FOLDED_CHARS = 1_000;
const MAX_CANDIDATES = 50;
const MAX_LINES = 50_000;
const MAX_WINDOW = 20;

/** The window of as many lines as `wanted` has (at most 20) that is nearest; `undefined` if nothing is alike. */
export function nearestLines(text: string, wanted: string): NearestLines | undefined {
  const lines = text.split("\n").slice(0, MAX_LINES);
  const target = trimBlank(wanted.split("\n")).slice(0, MAX_WINDOW);
  if (target.length === 0 || text === "") return undefined;
  const best = candidates(lines, target)
    .map((start) => ({ start, far: windowDistance(lines, start, target) }))
    .sort((a, b) => a.far - b.far || a.start - b.start)[0];
  const length = target.reduce((sum, line) => sum + fold(line).length, 0);
  if (best === undefined || best.far > length * 0.6) return undefined;
  return {
    firstLine: best.start + 1,
    lines: lines.slice(best.start, best.start + target.length),
    whitespaceOnly: best.far === 0,
  };
}

/** The starts that share most lines with the target, judged cheaply by the words of each line. */
function candidates(lines: readonly string[], target: readonly string[]): readonly number[] {
  const scores = new Map<number, number>();
  const rows = target.map((line) => ({ folded: fold(line), words: wordsOf(line) }));
  for (const [at, line] of lines.entries()) {
    const folded = fold(line);
    if (folded === "") continue;
    const words = wordsOf(line);
    for (const [offset, row] of rows.entries()) {
      const score = row.folded === folded ? 3 : overlap(words, row.words);
      const start = at - offset;
      if (score > 0 && start >= 0) scores.set(start, (scores.get(start) ?? 0) + score);
    }
  }
  return [...scores]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, MAX_CANDIDATES)
    .map(([start]) => start);
}

function overlap(words: ReadonlySet<string>, wanted: ReadonlySet<string>): number {
  if (wanted.size === 0) return 0;
  let shared = 0;
  for (const word of wanted) if (words.has(word)) shared++;
  return shared / wanted.size;
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.slice(0, COMPARED_CHARS).match(/[\p{L}\p{N}_]+/gu) ?? []);
}

function windowDistance(lines: readonly string[], start: number, target: readonly string[]): number {
  return target.reduce((sum, line, offset) => {
    const other = lines[start + offset] ?? "";
    return sum + distance(fold(line), fold(other));
  }, 0);
}

/** What is compared of a line; white space counts for nothing. */
function fold(line: string): string {
  return line.slice(0, FOLDED_CHARS).replace(/\s+/g, "").slice(0, COMPARED_CHARS);
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return first < 0 ? [] : lines.slice(first, last + 1);
}
