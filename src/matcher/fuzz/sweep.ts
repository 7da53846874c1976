// Runs the properties over many random patterns and texts, and counts what it saw.

import { DIALECTS, type Dialect, randomPattern } from "./patterns.ts";
import { checkProgress } from "./progress.ts";
import { checkText, createSubject, type Subject, type Verdict } from "./properties.ts";
import { createRandom, type Random, randomText } from "./random.ts";

/** A pattern on a text. */
export interface Example {
  readonly source: string;
  readonly flags: string;
  readonly text: string;
}

export interface Sweep {
  /** Pairs of a pattern and a text. */
  cases: number;
  patterns: number;
  fired: number;
  gaveUp: number;
  readonly failures: { readonly example: Example; readonly property: string; readonly detail: string }[];
  readonly nativeDiffers: { readonly example: Example; readonly native: boolean; readonly ours: boolean }[];
}

const TEXTS_PER_PATTERN = 100;
/** The properties of progress take several times as long as the others. */
const PROGRESS_EVERY = 8;

export function createSweep(): Sweep {
  return { cases: 0, patterns: 0, fired: 0, gaveUp: 0, failures: [], nativeDiffers: [] };
}

/** One pattern of each dialect, on several texts each. */
export function sweepOnce(sweep: Sweep, random: Random): void {
  for (const dialect of DIALECTS) sweepDialect(sweep, dialect, random);
}

/** A sweep of a fixed number of rounds from a seed: the same at every run. */
export function sweepRounds(seed: number, rounds: number): Sweep {
  const random = createRandom(seed);
  const sweep = createSweep();
  for (let k = 0; k < rounds; k++) sweepOnce(sweep, random);
  return sweep;
}

function sweepDialect(sweep: Sweep, dialect: Dialect, random: Random): void {
  const flags = random.pick(dialect.flags);
  const source = randomPattern(random, dialect);
  const subject = createSubject(source, flags);
  if (subject === undefined) return;
  sweep.patterns++;
  for (let k = 0; k < TEXTS_PER_PATTERN; k++) {
    const text = randomText(random, dialect.alphabet, random.below(dialect.longestText));
    sweep.cases++;
    note(
      sweep,
      { source, flags, text },
      attempt(() => checkAll(subject, text, random, k % PROGRESS_EVERY === 0)),
    );
  }
}

function checkAll(subject: Subject, text: string, random: Random, progress: boolean): Verdict {
  const verdict = checkText(subject, text, random);
  return progress && verdict.kind === "holds" ? checkProgress(subject, text, verdict) : verdict;
}

/** Whatever is thrown is a failure too. */
function attempt(check: () => Verdict): Verdict {
  try {
    return check();
  } catch (error) {
    return { kind: "fails", property: "nothing throws", detail: describeThrown(error) };
  }
}

export function describeThrown(error: unknown): string {
  return error instanceof Error ? `${error.message} ${error.stack}` : String(error);
}

function note(sweep: Sweep, example: Example, verdict: Verdict): void {
  switch (verdict.kind) {
    case "holds":
      if (verdict.fired) sweep.fired++;
      return;
    case "gave up":
      sweep.gaveUp++;
      return;
    case "native differs":
      sweep.nativeDiffers.push({ example, native: verdict.native, ours: verdict.ours });
      return;
    case "fails":
      sweep.failures.push({ example, property: verdict.property, detail: verdict.detail });
  }
}
