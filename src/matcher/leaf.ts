// The set of characters that one leaf of the tree (a character, an escape, a class) matches.

import type { AST } from "@eslint-community/regexpp";
import {
  type CharSet,
  charSet,
  complement,
  DIGITS,
  intersection,
  LINE_ENDS,
  MAX_POINT,
  MAX_UNIT,
  SPACES,
  union,
  WORD,
  WORD_FOLDED,
} from "./charset.ts";
import { foldedSet, hostSet } from "./host-sets.ts";
import { overPoints, PatternError, type PatternFlags } from "./pattern.ts";

export type Leaf = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass;
type ClassPart =
  | AST.CharacterClass
  | AST.CharacterClassElement
  | AST.ClassIntersection
  | AST.ClassSubtraction;

export function isLeaf(element: AST.Element): element is Leaf {
  return (
    element.type === "Character" ||
    element.type === "CharacterSet" ||
    element.type === "CharacterClass" ||
    element.type === "ExpressionCharacterClass"
  );
}

/**
 * The characters a leaf matches. Throws `PatternError` for a leaf that can match more than one character (`\q{…}`,
 * a property of strings).
 */
export function leafSet(leaf: Leaf, flags: PatternFlags): CharSet {
  if (leaf.type === "Character") return characterSet(leaf.value, flags);
  if (leaf.type === "CharacterSet") return escapeSet(leaf, flags);
  if (holdsStrings(leaf)) throw new PatternError(`${leaf.raw} can match several characters at once`);
  if (!flags.ignoreCase) return partSet(leaf, flags);
  return foldedAsciiClass(leaf, flags) ?? hostSet(leaf.raw, leafFlags(flags));
}

/**
 * The one set that an element of exactly one character matches, looking through groups (`(a|[bc])`), or undefined
 * if it is anything else.
 */
export function oneCharacterSet(element: AST.Element, flags: PatternFlags): CharSet | undefined {
  if (isLeaf(element)) return leafSet(element, flags);
  if (element.type !== "CapturingGroup" && (element.type !== "Group" || element.modifiers !== null)) return;
  const sets: CharSet[] = [];
  for (const { elements } of element.alternatives) {
    const [only] = elements;
    const set = only !== undefined && elements.length === 1 ? oneCharacterSet(only, flags) : undefined;
    if (set === undefined) return;
    sets.push(set);
  }
  return union(sets);
}

function characterSet(char: number, flags: PatternFlags): CharSet {
  return flags.ignoreCase ? foldedSet(char, overPoints(flags)) : [char, char];
}

function escapeSet(leaf: AST.CharacterSet, flags: PatternFlags): CharSet {
  const max = overPoints(flags) ? MAX_POINT : MAX_UNIT;
  const signed = (set: CharSet, negate: boolean) => (negate ? complement(set, max) : set);
  switch (leaf.kind) {
    case "any":
      return flags.dotAll ? [0, max] : complement(LINE_ENDS, max);
    case "digit":
      return signed(DIGITS, leaf.negate);
    case "space":
      return signed(SPACES, leaf.negate);
    case "word":
      return signed(foldsWords(flags) ? WORD_FOLDED : WORD, leaf.negate);
    case "property":
      if (leaf.strings) throw new PatternError(`${leaf.raw} can match several characters at once`);
      return hostSet(leaf.raw, leafFlags(flags));
  }
}

/** Whether `\w` and `\b` take the two characters outside ASCII that fold to `s` and `k`. */
export function foldsWords(flags: PatternFlags): boolean {
  return flags.ignoreCase && overPoints(flags);
}

/** A class, or a part of one, when case counts: then set algebra is all there is to it. */
function partSet(part: ClassPart, flags: PatternFlags): CharSet {
  const max = overPoints(flags) ? MAX_POINT : MAX_UNIT;
  switch (part.type) {
    case "Character":
      return [part.value, part.value];
    case "CharacterClassRange":
      return [part.min.value, part.max.value];
    case "CharacterSet":
      return escapeSet(part, flags);
    case "CharacterClass": {
      const parts = part.elements.map((element) => partSet(element, flags));
      const set = charSet(parts.flat());
      return part.negate ? complement(set, max) : set;
    }
    case "ExpressionCharacterClass": {
      const set = partSet(part.expression, flags);
      return part.negate ? complement(set, max) : set;
    }
    case "ClassIntersection":
      return intersection(partSet(part.left, flags), partSet(part.right, flags), max);
    case "ClassSubtraction":
      return intersection(
        partSet(part.left, flags),
        complement(charSet(partSet(part.right, flags)), max),
        max,
      );
    case "ClassStringDisjunction":
      throw new PatternError(`${part.raw} can match several characters at once`);
  }
}

/** The common case of ignoring case, without asking the host: no `u` or `v`, and nothing named outside ASCII. */
function foldedAsciiClass(leaf: Leaf, flags: PatternFlags): CharSet | undefined {
  if (overPoints(flags) || leaf.type !== "CharacterClass") return;
  const ranges: number[] = [];
  for (const element of leaf.elements) {
    if (element.type === "CharacterSet") {
      ranges.push(...partSet(element, flags));
      continue;
    }
    if (element.type !== "Character" && element.type !== "CharacterClassRange") return;
    const [lo = 0, hi = 0] = partSet(element, flags);
    if (hi > 0x7f) return;
    ranges.push(lo, hi);
    for (let char = lo; char <= hi; char++) ranges.push(...foldedSet(char, false));
  }
  const set = charSet(ranges);
  return leaf.negate ? complement(set, MAX_UNIT) : set;
}

function holdsStrings(part: ClassPart): boolean {
  switch (part.type) {
    case "ClassStringDisjunction":
      return true;
    case "CharacterSet":
      return part.kind === "property" && part.strings;
    case "CharacterClass":
      return part.elements.some(holdsStrings);
    case "ExpressionCharacterClass":
      return holdsStrings(part.expression);
    case "ClassIntersection":
    case "ClassSubtraction":
      return holdsStrings(part.left) || holdsStrings(part.right);
    case "Character":
    case "CharacterClassRange":
      return false;
  }
}

function leafFlags(flags: PatternFlags): string {
  return `${flags.ignoreCase ? "i" : ""}${flags.unicode ? "u" : ""}${flags.unicodeSets ? "v" : ""}`;
}
