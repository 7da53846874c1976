// Random patterns over a small alphabet, so that matches, near misses and odd characters all come often.

import type { Random } from "./random.ts";

/** What a pattern is made of, and texts to try it on. */
export interface Dialect {
  readonly name: string;
  readonly flags: readonly string[];
  readonly atoms: readonly string[];
  readonly groups: readonly string[];
  readonly quantifiers: readonly string[];
  /** Long repetitions of groups would take the native engines for ever. */
  readonly groupQuantifiers: readonly string[];
  /** One of these stands before the rest. */
  readonly prefixes: readonly string[];
  readonly alphabet: readonly string[];
  readonly longestText: number;
}

const SETS = [
  ".",
  "\\w",
  "\\W",
  "\\s",
  "\\S",
  "[^]",
  "[a-c]",
  "[^a]",
  "[^ks]",
  "[b-k\\s]",
  "[\\W_]",
  "[^\\w]",
];
const GUARDS = ["\\b", "\\B", "^", "$"];
const LOOKS = ["(?=", "(?!", "(?<=", "(?<!"];
const GROUPS = ["(?:", "(?:", "("];
const MODIFIERS = ["(?i:", "(?m:", "(?s:", "(?-i:"];
const QUANTIFIERS = ["", "", "", "", "", "", "*", "+", "?", "{2}", "{1,3}", "{0,2}?", "{2,}", "*?"];
const ALPHABET = ["a", "b", "c", "A", "_", " ", "\n", "ſ", "\u212a", "k", "s", "\r", "a", "b"];

export const DIALECTS: readonly Dialect[] = [
  {
    name: "units",
    flags: ["", "i", "m", "s", "im"],
    atoms: [..."abcA_ ks", "\\n", "\\u017f", "\\u212a", ...SETS, ...GUARDS],
    groups: [...GROUPS, ...LOOKS, ...MODIFIERS],
    quantifiers: QUANTIFIERS,
    groupQuantifiers: QUANTIFIERS,
    prefixes: [""],
    alphabet: ALPHABET,
    longestText: 9,
  },
  {
    name: "code points",
    flags: ["u", "iu", "v", "iv", "mu"],
    atoms: [
      ..."abks ",
      "\\u{1F600}",
      "\\u017f",
      "\\ud83d",
      "\\p{L}",
      "\\P{L}",
      "\\p{Lu}",
      "[^\\p{Lu}]",
      ...SETS,
      ...GUARDS,
    ],
    groups: [...GROUPS, ...LOOKS],
    quantifiers: QUANTIFIERS,
    groupQuantifiers: QUANTIFIERS,
    prefixes: [""],
    alphabet: [...ALPHABET, "😀", "\ud83d", "\ude00"],
    longestText: 9,
  },
  {
    name: "backreferences",
    flags: ["", "i", "m", "s", "iu"],
    atoms: ["\\1", "\\1", "\\2", ..."abcAk ", "\\w", ".", "[^a]", "\\b", "$", "^"],
    groups: [...GROUPS, "(", ...LOOKS],
    quantifiers: QUANTIFIERS,
    groupQuantifiers: QUANTIFIERS,
    prefixes: ["(a|b)", "(\\w+)", "(a)?", "(.*)", ""],
    alphabet: [..."abcabA k", "\n", "\u212a"],
    longestText: 10,
  },
  {
    name: "counters",
    flags: ["", "i", "s", "u"],
    atoms: ["a", "b", "[ab]", "[^b]", ".", "\\w", "(?:a|b)", "\\b", "$", "(?=b)", "(?<=a)", "(?!c)"],
    groups: ["(?:", "("],
    quantifiers: ["", "", "+", "{16}", "{16,18}", "{0,17}", "{17,}", "{20,40}", "{1,16}"],
    groupQuantifiers: ["", "", "", "?", "{2}"],
    prefixes: ["", "a", "\\b", "c"],
    alphabet: ["a", "a", "a", "b", "aaaa", "abab", "bbbbbbbb", "aaaaaaaaaaaa", "c", " "],
    longestText: 14,
  },
];

/** A pattern of a dialect; not every one is valid. */
export function randomPattern(random: Random, dialect: Dialect): string {
  return random.pick(dialect.prefixes) + alternatives(random, dialect, 2);
}

function alternatives(random: Random, dialect: Dialect, depth: number): string {
  let source = sequence(random, dialect, depth);
  while (random.oneIn(4)) source += `|${sequence(random, dialect, depth)}`;
  return source;
}

function sequence(random: Random, dialect: Dialect, depth: number): string {
  let source = "";
  for (let k = 1 + random.below(4); k > 0; k--) {
    const grouped = depth > 0 && random.below(10) < 4;
    const atom = grouped ? group(random, dialect, depth) : random.pick(dialect.atoms);
    if (isZeroWidth(atom)) source += atom;
    else source += atom + random.pick(grouped ? dialect.groupQuantifiers : dialect.quantifiers);
  }
  return source;
}

function group(random: Random, dialect: Dialect, depth: number): string {
  return `${random.pick(dialect.groups)}${alternatives(random, dialect, depth - 1)})`;
}

function isZeroWidth(atom: string): boolean {
  return GUARDS.includes(atom) || /^\(\?<?[=!]/.test(atom);
}
