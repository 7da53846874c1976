// Looking for a match of one pattern with the backtracking engine, up to a fixed end of what has been read. It may be
// broken off between two starts and gone on with later, so that a long text is looked through without a long pause.

import { type Budget, BudgetSpent, CERTAIN, matchAt, OPEN } from "./backtrack.ts";
import { type Input, isStart, readableEnd, upTo } from "./input.ts";
import type { Program } from "./program.ts";

/** What is known before a scan. */
export interface Settled {
  /** No match is certain before this offset. */
  readonly least: number;
  /** Starts before this one never match, but for those in `open`. */
  readonly from: number;
  /** Starts from which what has been read is the beginning of a match, ascending. */
  readonly open: readonly number[];
}

/** A scan under way. */
export interface Scan {
  /** It reads up to here; `ended`: and nothing follows. */
  readonly end: number;
  readonly ended: boolean;
  readonly least: number;
  /** Starts that were open before, of which those from `nextOpen` on are still to be looked at; after them comes `next`. */
  readonly open: readonly number[];
  nextOpen: number;
  next: number;
  readonly stillOpen: number[];
  /** The least offset at which a match from the starts that were looked at is certain, if one is. */
  best: number | undefined;
}

/** What a scan looks for, and in what. `input` ends where the scan does. */
export interface Reading {
  readonly program: Program;
  readonly input: Input;
}

/** What a scan may spend before it pauses. */
export interface Turn {
  /** For the matching itself: a start may take all of it. */
  readonly budget: Budget;
  /** No other start is begun with less than this left. */
  readonly pauseBelow: number;
  /** No start has been looked at in it. */
  isFresh: boolean;
  /** It has all that one pattern may have, whatever others have taken. */
  readonly isWhole: boolean;
}

export function beginScan({ least, from, open }: Settled, end: number, ended: boolean): Scan {
  return { end, ended, least, open, nextOpen: 0, next: from, stillOpen: [], best: undefined };
}

/** The first unit that the rest of a scan may read, but for what stands before it. */
export function neededFrom({ open, nextOpen, next }: Scan): number {
  return open[nextOpen] ?? next;
}

/** What is known once a scan is done and has found nothing. */
export function settledBy(scan: Scan, { program, input }: Reading): Settled {
  const from = Math.max(scan.next, readableEnd(program.overPoints, input) + 1);
  return { least: Math.max(scan.least, scan.end + 1), from, open: scan.stillOpen };
}

/** "stuck": one start alone takes more than the turn has. */
export type Outcome = "done" | "paused" | "stuck";

/** Goes on with a scan. */
export function goOn(scan: Scan, reading: Reading, turn: Turn): Outcome {
  const last = readableEnd(reading.program.overPoints, reading.input);
  for (;;) {
    const start = nextStart(scan, reading);
    if (start > last || isFound(scan, start)) return "done";
    if (!turn.isFresh && turn.budget.stepsLeft < turn.pauseBelow) return "paused";
    try {
      examine(scan, { ...reading, start, budget: turn.budget });
    } catch (error) {
      if (error instanceof BudgetSpent) return turn.isFresh ? "stuck" : "paused";
      throw error;
    }
    turn.isFresh = false;
    if (scan.nextOpen < scan.open.length) scan.nextOpen++;
    else scan.next = start + 1;
  }
}

/** Whether no match from a start can be certain before the best one. */
function isFound({ best, least }: Scan, start: number): boolean {
  return best !== undefined && best <= Math.max(least, start);
}

function nextStart(scan: Scan, { program, input }: Reading): number {
  const open = scan.open[scan.nextOpen];
  if (open !== undefined) return open;
  while (program.overPoints && !isStart(input, scan.next)) scan.next++;
  return scan.next;
}

interface Look extends Reading {
  readonly start: number;
  readonly budget: Budget;
}

/** A match that is certain at an offset is so at every later one, and nothing else can make `best` smaller. */
function examine(scan: Scan, look: Look): void {
  const { best, least, end } = scan;
  const { program, input, start, budget } = look;
  if (best !== undefined) {
    if (isCertain(look, best - 1)) scan.best = leastOffset(look, least, best - 1);
    return;
  }
  const { verdict } = matchAt(program, input, start, budget);
  if (verdict === CERTAIN) scan.best = leastOffset(look, least, end);
  else if (verdict === OPEN) scan.stillOpen.push(start);
}

/** The least offset from `least` on at which the match is certain; `most` is one, or the end of the text makes it so. */
function leastOffset(look: Look, least: number, most: number): number {
  let low = Math.max(least, look.start);
  let high = most;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isCertain(look, middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}

function isCertain({ program, input, start, budget }: Look, end: number): boolean {
  const shorter = upTo(input, end);
  if (start > readableEnd(program.overPoints, shorter)) return false;
  return matchAt(program, shorter, start, budget).verdict === CERTAIN;
}
