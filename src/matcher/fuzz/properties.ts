// What must hold for every pattern and every text. A property gives what is wrong, or undefined.

import { BudgetSpent, CERTAIN, matchAt } from "../backtrack.ts";
import { diagnosePattern } from "../diagnose.ts";
import { type Input, startsFrom } from "../input.ts";
import { type Fire, StreamMatcher } from "../matcher.ts";
import { parsePattern } from "../pattern.ts";
import { compileProgram, type Program } from "../program.ts";
import type { Random } from "./random.ts";

/** A pattern in all the forms that vote on it. */
export interface Subject {
  readonly source: string;
  readonly flags: string;
  readonly native: RegExp;
  readonly program: Program;
  /** Has read enough to have ceased to keep where matches began. */
  readonly matcher: StreamMatcher;
  /** Is asked for `idleFrom`, and keeps it. */
  readonly watched: StreamMatcher;
  /** The backtracking engine decides it, and not at once. */
  readonly slow: boolean;
}

export type Verdict =
  | { readonly kind: "holds"; readonly fired: boolean }
  /** The native engine differs from both of ours. */
  | { readonly kind: "native differs"; readonly native: boolean; readonly ours: boolean }
  /** The backtracking engine's budget was spent. */
  | { readonly kind: "gave up" }
  | { readonly kind: "fails"; readonly property: string; readonly detail: string };

/** Undefined if the source is no valid pattern. */
export function createSubject(source: string, flags: string): Subject | undefined {
  let native: RegExp;
  try {
    native = new RegExp(source, flags);
  } catch {
    return undefined;
  }
  const program = compileProgram(parsePattern(source, flags));
  const rules = [{ id: "rule", patterns: [source], flags }];
  const matcher = new StreamMatcher(rules);
  matcher.push(" ".repeat(300));
  const diagnosis = diagnosePattern(source, flags);
  const slow = diagnosis.kind === "usable" && diagnosis.slow !== undefined;
  return { source, flags, native, program, matcher, watched: new StreamMatcher(rules), slow };
}

/** Checks all properties of one pattern on one text. */
export function checkText(subject: Subject, text: string, random: Random): Verdict {
  const { matcher, native } = subject;
  const whole = feed(matcher, [text]);
  if (matcher.gaveUp.length > 0) return { kind: "gave up" };
  const fired = whole.length > 0;
  const exact = certainOn(subject, text, true);
  if (exact === undefined) return { kind: "gave up" };
  if (fired !== exact) {
    return failure("a rule fires if and only if the pattern matches the text", { fired, exact });
  }
  const told = native.test(text);
  if (told !== fired) return { kind: "native differs", native: told, ours: fired };
  for (const chunks of [[...units(text)], randomCut(text, random)]) {
    const cut = feed(matcher, chunks);
    if (JSON.stringify(cut) !== JSON.stringify(whole)) {
      return failure("any cut gives the same fires", { whole, cut, chunks });
    }
  }
  const [fire] = whole;
  if (fire === undefined) return { kind: "holds", fired };
  return checkFire(subject, text, fire, random) ?? { kind: "holds", fired };
}

/** Continuations that decide guards, lookaheads and surrogates one way or the other. */
const CONTINUATIONS = ["", "a", "b", "c", "k", "s", "A", "_", " ", "\n", "ſ", "😀", "\ude00"];

function checkFire(subject: Subject, text: string, { at, atEnd }: Fire, random: Random): Verdict | undefined {
  // What is certain stays certain as the text grows, so that two prefixes tell the least.
  const before = at > 0 && certainOn(subject, text.slice(0, at - 1), false);
  const here = certainOn(subject, text.slice(0, at), false);
  if (before === undefined || here === undefined) return { kind: "gave up" };
  const onlyAtEnd = atEnd && at === text.length && !here;
  if (before || !(here || onlyAtEnd) || (atEnd && !onlyAtEnd && !subject.slow)) {
    return failure("the offset is the least at which a match is certain", { at, atEnd, before, here });
  }
  if (atEnd) return undefined;
  for (const first of CONTINUATIONS) {
    for (const second of ["", random.pick(CONTINUATIONS), random.pick(CONTINUATIONS)]) {
      const continued = text.slice(0, at) + first + second;
      if (subject.native.test(continued) || certainOn(subject, continued, true) !== false) continue;
      return failure("a fire holds whatever follows", { at, continued });
    }
  }
  return undefined;
}

/** Whether the backtracking engine is certain of a match; undefined if it gave up. */
function certainOn(subject: Subject, text: string, ended: boolean): boolean | undefined {
  const start = certainStart(subject, { text, ended }, 0);
  return start === undefined ? undefined : start !== "none";
}

/** What a text of the fuzzer may take; a pattern that needs more is exponential, and of no use as a witness. */
const STEPS = 8_000;

/** The least start, from `from` on, of a match of which the backtracking engine is certain; undefined: it gave up. */
export function certainStart({ program }: Subject, input: Input, from: number): number | "none" | undefined {
  const budget = { stepsLeft: STEPS };
  try {
    for (const start of startsFrom(program.overPoints, input, from)) {
      if (matchAt(program, input, start, budget).verdict === CERTAIN) return start;
    }
    return "none";
  } catch (error) {
    if (error instanceof BudgetSpent) return undefined;
    throw error;
  }
}

/** Pushes the chunks and ends; from the beginning of a stream. */
export function feed(matcher: StreamMatcher, chunks: readonly string[]): Fire[] {
  matcher.restart();
  const fires = [...matcher.push("")];
  for (const chunk of chunks) fires.push(...matcher.push(chunk));
  fires.push(...matcher.end());
  return fires;
}

export function randomCut(text: string, random: Random, longest = 4): string[] {
  const chunks: string[] = [];
  for (let from = 0; from < text.length; ) {
    const to = from + 1 + random.below(longest);
    chunks.push(text.slice(from, to));
    from = to;
  }
  return chunks;
}

export function units(text: string): string[] {
  return Array.from({ length: text.length }, (_, k) => text.charAt(k));
}

export function failure(property: string, detail: unknown): Verdict {
  return { kind: "fails", property, detail: JSON.stringify(detail) };
}
