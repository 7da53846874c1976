// Forms of other regular expressions (Perl, Python, Java, POSIX) that ECMAScript refuses, or takes for something else and
// says nothing: `\Z` is the letter Z. Told from the text of a condition alone; each form with ECMAScript's way.

import { splitLeadingFlags } from "../matcher/pattern.ts";
import { type PatternToken, tokensOf } from "./pattern-tokens.ts";

export interface ForeignForm {
  /** As it stands in the condition. */
  readonly written: string;
  /** What it is here, after "which is read as"; of a form that does not compile it says nothing. */
  readonly readAs: string;
  readonly advice: string;
}

/** Every form has one of these; most conditions have none, and are not taken apart. */
const MAY_BE_FOREIGN =
  /\\(?![sSdDwWbnrtvf0]|[^A-Za-z0-9])|\(\?(?!:|<?[=!])|\(\*|\[[:\]]|&&\[|[*+?}]\+|\{,|^\//;

/** The forms in a condition, in order, each once. */
export function foreignForms(condition: string): readonly ForeignForm[] {
  if (!MAY_BE_FOREIGN.test(condition)) return [];
  const { flags, rest } = splitLeadingFlags(condition);
  const tokens = tokensOf(rest);
  const pattern: PatternFacts = {
    isUnicode: flags.includes("u"),
    isMultiline: flags.includes("m"),
    groups: tokens.filter(({ text, inClass }) => !inClass && /^\((?:$|\?<[^=!])/.test(text)).length,
    hasNames: tokens.some(({ text, inClass }) => !inClass && /^\(\?<[^=!]/.test(text)),
  };
  const found = new Map<string, ForeignForm>();
  const literal = literalForm(condition);
  if (literal !== undefined) found.set(literal.written, literal);
  for (const token of tokens) {
    const form = formOf(token, pattern);
    if (form !== undefined && !found.has(form.written)) found.set(form.written, form);
  }
  return [...found.values()];
}

interface PatternFacts {
  readonly isUnicode: boolean;
  readonly isMultiline: boolean;
  /** Those that capture. */
  readonly groups: number;
  readonly hasNames: boolean;
}

function formOf(token: PatternToken, pattern: PatternFacts): ForeignForm | undefined {
  const { text, inClass } = token;
  if (text.startsWith("\\")) return escapeForm(token, pattern);
  if (/^\[:/.test(text)) return posixForm(text, inClass);
  if (text === "&&[") {
    return form(text, "a set of characters and a bracket", "write a lookahead before the set: (?![b])[a-z]");
  }
  if (inClass) return undefined;
  if (text === "[]")
    return form(text, "a set of nothing, which never matches", "write [\\]…] if it begins with ]");
  if (text.startsWith("(")) return groupForm(text);
  if (/^[*+?{].*\+$/.test(text))
    return form(text, "", `write ${text.slice(0, -1)} alone: time is linear without it`);
  if (text.startsWith("{,")) return form(text, "plain characters", `write {0${text.slice(1)}`);
  return undefined;
}

function form(written: string, readAs: string, advice: string): ForeignForm {
  return { written, readAs, advice };
}

/** Letters that mean something after a backslash, outside a class and in one. */
const MEANT = /^\\[dDwWsSbBnrtvfcxu]/;
const ADVICE: Readonly<Record<string, string>> = {
  h: String.raw`write [ \t]`,
  H: String.raw`write [^ \t]`,
  R: String.raw`write \r?\n`,
  N: String.raw`write [^\n]`,
  e: String.raw`write \x1b`,
  a: String.raw`write \x07`,
  y: String.raw`write \b`,
  m: String.raw`write \b`,
  M: String.raw`write \b`,
  K: "write (?<=…) around what stands before it",
  G: "leave it out",
  X: "begin the condition with (?u), where . is a whole character",
  Q: String.raw`put a backslash before each character that has a meaning: \. for .`,
  E: String.raw`put a backslash before each character that has a meaning: \. for .`,
  g: "write \\1, or \\k<name> for a group (?<name>…)",
};

const IN_CLASS: Readonly<Record<string, string>> = {
  h: String.raw`write a space and \t`,
  e: String.raw`write \x1b`,
  a: String.raw`write \x07`,
};

function escapeForm({ text, inClass }: PatternToken, pattern: PatternFacts): ForeignForm | undefined {
  const letter = text.charAt(1);
  if (/^\d/.test(letter)) {
    if (inClass || letter === "0" || Number(text.slice(1)) <= pattern.groups) return undefined;
    return form(
      text,
      "the code of a character",
      `there is no group ${text.slice(1)}: put what is meant in ( )`,
    );
  }
  if (!/^[A-Za-z]/.test(letter)) return undefined;
  if (letter === "p" || letter === "P") return propertyForm(text, pattern);
  if (letter === "x" || letter === "u") return codeForm(text, pattern);
  if (letter === "k" && pattern.hasNames && !inClass) return undefined;
  if (MEANT.test(text) && !(inClass && letter === "B")) return undefined;
  const advice = inClass ? IN_CLASS[letter] : adviceOn(letter, pattern);
  return form(text, `the letter ${letter}`, advice ?? `write ${letter}, if the letter is meant`);
}

function adviceOn(letter: string, { isMultiline }: PatternFacts): string | undefined {
  switch (letter) {
    case "A":
      return `write ${isMultiline ? String.raw`(?<![\s\S])` : "^"}`;
    case "z":
    case "Z":
      return `write ${isMultiline ? String.raw`$(?![\s\S])` : "$"}`;
    case "k":
      return "name a group: (?<name>…) and \\k<name>";
    default:
      return ADVICE[letter];
  }
}

function propertyForm(text: string, { isUnicode }: PatternFacts): ForeignForm | undefined {
  if (isUnicode) return undefined;
  const isWhole = text.length > 2;
  const written = isWhole ? text : `${text}{L}`;
  return form(
    text,
    isWhole ? "plain characters" : `the letter ${text.charAt(1)}`,
    `write (?u) at the beginning, as in (?u)${written}`,
  );
}

function codeForm(text: string, { isUnicode }: PatternFacts): ForeignForm | undefined {
  const letter = text.charAt(1);
  const digits = /^\\[xu]\{([\da-fA-F]+)\}$/.exec(text)?.[1];
  if (digits === undefined) {
    if (text.length > 2) return undefined;
    const length = letter === "x" ? "two" : "four";
    return form(text, `the letter ${letter}`, `write ${length} hexadecimal digits after it`);
  }
  if (letter === "u" && isUnicode) return undefined;
  const advice =
    digits.length > 4 || isUnicode
      ? `write (?u) at the beginning and \\u{${digits}}`
      : `write \\u${digits.padStart(4, "0")}`;
  return form(text, `the letter ${letter}, that many times`, advice);
}

const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "a-zA-Z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: String.raw`\s`,
  blank: String.raw` \t`,
  punct: "!-/:-@[-`{-~",
  xdigit: "0-9a-fA-F",
  word: String.raw`\w`,
  cntrl: String.raw`\x00-\x1f\x7f`,
  print: " -~",
  graph: "!-~",
};

function posixForm(text: string, inClass: boolean): ForeignForm | undefined {
  const set = POSIX_CLASSES[text.replace(/[^a-z]/g, "")];
  if (set === undefined) return undefined;
  const escaped = set.replace("[-`", "\\[-`");
  return form(text, "the characters that stand in it", `write ${inClass ? escaped : `[${escaped}]`}`);
}

function groupForm(text: string): ForeignForm | undefined {
  const name = /^\(\?(?:P<|')(\w+)/.exec(text)?.[1];
  if (name !== undefined) return form(`${text}…)`, "", `write (?<${name}>…)`);
  const back = /^\(\?P[=>](\w*)\)$/.exec(text)?.[1];
  if (back !== undefined) return form(text, "", `write \\k<${back}>`);
  if (text === "(?>" || text === "(?|") return form(`${text}…)`, "", "write (?:…)");
  if (text.startsWith("(?#")) return form(text, "", "leave the comment out");
  if (text === "(?R)" || /^\(\?[(&+\d]/.test(text)) return form(text, "", "write out what it stands for");
  if (text.startsWith("(*")) return form(text, "", "leave it out");
  return flagsForm(text);
}

function flagsForm(text: string): ForeignForm | undefined {
  const flags = /^\(\?([a-zA-Z^-]+)[:)]$/.exec(text)?.[1];
  if (flags === undefined || /^\(\?[ims]*(?:-[ims]+)?:$/.test(text)) return undefined;
  if (/^[imsu]+$/.test(flags) && text.endsWith(")")) {
    const around = flags.includes("u") ? "" : `, or (?${flags}:…) around a part`;
    return form(text, "", `write it once, at the very beginning${around}`);
  }
  return form(
    text,
    "",
    "the flags are i, m, s and u, as (?im) at the very beginning; i, m and s also as (?im:…)",
  );
}

/** `/foo/i`, as in a program's text; a path such as `/usr/lib` is none. */
function literalForm(condition: string): ForeignForm | undefined {
  const match = /^\/((?:[^/\\]|\\[\s\S])+)\/(g?i?m?|ig|mi)$/.exec(condition);
  const [, inner = "", flags = ""] = match ?? [];
  if (match === null || (flags === "" && !/^\^|\$$/.test(inner))) return undefined;
  const kept = flags.replace("g", "");
  const start = kept === "" ? "" : `(?${kept})`;
  return form(`/…/${flags}`, "slashes in the text", `write ${start}${inner}`);
}
