// From the source of a pattern to its syntax tree. The one place that knows flags and the leading `(?imsu)`
// group; everything after it sees a tree and a set of flags.

import { type AST, RegExpParser, RegExpSyntaxError } from "@eslint-community/regexpp";
import { isDeeperThan } from "./syntax.ts";

/** The flags that change what a pattern matches. `u` and `v` both mean: over code points, not UTF-16 units. */
export interface PatternFlags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly unicode: boolean;
  readonly unicodeSets: boolean;
}

/** A pattern that compiles: its tree, its flags, and the source and flags that a native `RegExp` would take. */
export interface ParsedPattern {
  readonly ast: AST.Pattern;
  readonly flags: PatternFlags;
  readonly source: string;
  readonly flagText: string;
}

/**
 * A pattern that cannot be used. `index` is where in the given source the fault is, in UTF-16 units from 0;
 * it is absent when the pattern is well formed but asks for what the matcher cannot do.
 */
export class PatternError extends Error {
  override readonly name = "PatternError";
  readonly index: number | undefined;
  constructor(message: string, index?: number) {
    super(message);
    this.index = index;
  }
}

/** Whether the pattern reads code points rather than UTF-16 units. */
export function overPoints(flags: PatternFlags): boolean {
  return flags.unicode || flags.unicodeSets;
}

/** The flags inside `(?im-s:…)`. */
export function withModifiers(flags: PatternFlags, modifiers: AST.Modifiers | null): PatternFlags {
  if (modifiers === null) return flags;
  const { add, remove } = modifiers;
  return {
    ...flags,
    ignoreCase: (flags.ignoreCase || add.ignoreCase) && !remove?.ignoreCase,
    multiline: (flags.multiline || add.multiline) && !remove?.multiline,
    dotAll: (flags.dotAll || add.dotAll) && !remove?.dotAll,
  };
}

const LEADING_FLAGS = /^\(\?([imsu]+)\)/;
const KNOWN_FLAGS = "imsuvdgy";

/** Separates a leading `(?i)`, `(?m)`, `(?s)`, `(?u)` group (or one of several letters) from the rest of the source. */
export function splitLeadingFlags(source: string): { readonly flags: string; readonly rest: string } {
  const group = LEADING_FLAGS.exec(source);
  return group === null
    ? { flags: "", rest: source }
    : { flags: group[1] ?? "", rest: source.slice(group[0].length) };
}

/** Parses a pattern by ECMAScript 2025. Throws `PatternError` with the position if it is not one. */
export function parsePattern(source: string, flags = ""): ParsedPattern {
  const { flags: leading, rest } = splitLeadingFlags(source);
  const flagText = normalizeFlags(flags + leading);
  const parsed: PatternFlags = {
    ignoreCase: flagText.includes("i"),
    multiline: flagText.includes("m"),
    dotAll: flagText.includes("s"),
    unicode: flagText.includes("u"),
    unicodeSets: flagText.includes("v"),
  };
  if (parsed.unicode && parsed.unicodeSets) throw new PatternError("the flags u and v exclude each other");
  try {
    const ast = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(rest, 0, rest.length, {
      unicode: parsed.unicode,
      unicodeSets: parsed.unicodeSets,
    });
    if (isDeeperThan(ast, MAX_DEPTH)) throw new PatternError(TOO_DEEP);
    return { ast, flags: parsed, source: rest, flagText };
  } catch (error) {
    if (error instanceof RangeError) throw new PatternError(TOO_DEEP);
    if (!(error instanceof RegExpSyntaxError)) throw error;
    const message = error.message.replace(/^Invalid regular expression: \/.*\/\w*: /s, "");
    throw new PatternError(message, source.length - rest.length + error.index);
  }
}

/** Groups within groups. The engines walk the tree recursively, and no pattern written by hand comes near this. */
const MAX_DEPTH = 250;
const TOO_DEEP = `its groups are nested more than ${MAX_DEPTH} deep`;

/** Flags without repetition, and without `d`, `g` and `y`, which change nothing about whether a text matches. */
function normalizeFlags(flags: string): string {
  for (const flag of flags) {
    if (!KNOWN_FLAGS.includes(flag)) throw new PatternError(`the flag "${flag}" is not known`);
  }
  return [...new Set(flags)].filter((flag) => "imsuv".includes(flag)).join("");
}
