// One word of a shell command line: its quotes, its patterns, and what in it only a shell could judge.

import { shellQuote } from "../../base/shell-quote.ts";

/** What is read cannot be judged; the message is the reason. Caught where a line is parsed. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** A piece of a word: literal text, or a pattern character (`*`, `?`) for the shell to expand. */
export interface WordPart {
  readonly text: string;
  readonly pattern: boolean;
}

export type Word = readonly WordPart[];

/** The text of a word, its patterns as they are written. */
export function wordText(word: Word): string {
  return word.map((part) => part.text).join("");
}

export interface WordRead {
  readonly word: Word;
  /** Only what stood outside quotes. */
  readonly unquoted: string;
  readonly end: number;
}

/** White space of other scripts (a no-break space, U+2028) ends no word of a shell. */
const WORD_END = /[ \t\n;&|()<>]/;

/** Reads the word that begins at `start`: up to white space or an operator. Throws `Refused`. */
export function wordAt(text: string, start: number): WordRead {
  const parts: WordPart[] = [];
  let unquoted = "";
  let at = start;
  const add = (piece: string, pattern = false) => parts.push({ text: piece, pattern });
  for (; at < text.length && !WORD_END.test(text[at] ?? ""); ) {
    const char = text[at] ?? "";
    if (char === "'") {
      const end = text.indexOf("'", at + 1);
      if (end < 0) throw new Refused("a single quote is not closed");
      add(text.slice(at + 1, end));
      at = end + 1;
    } else if (char === '"') {
      const quoted = doubleQuotedAt(text, at);
      add(quoted.text);
      at = quoted.end;
    } else if (char === "\\") {
      const next = text[at + 1];
      if (next === undefined || next === "\n") throw new Refused("a backslash stands at the end of a line");
      add(next);
      at += 2;
    } else {
      refuseSpecial(char, at === start);
      add(char, char === "*" || char === "?");
      unquoted += char;
      at += 1;
    }
  }
  refuseExpansion(unquoted, parts);
  return { word: mergeParts(parts), unquoted, end: at };
}

function refuseSpecial(char: string, first: boolean): void {
  if (char === "$")
    throw new Refused("`$` is expanded by the shell; put it in single quotes if it is meant literally");
  if (char === "`") throw new Refused("a backtick runs a command");
  if (char === "~" && first) throw new Refused("`~` is expanded by the shell; write the path out");
}

function refuseExpansion(unquoted: string, parts: readonly WordPart[]): void {
  if (unquoted.includes("{") && /,|\.\./.test(parts.map((part) => part.text).join("")))
    throw new Refused("a brace expansion needs a shell to be judged");
  const whole = parts.map((part) => part.text).join("");
  if (unquoted.includes("[") && whole !== "[")
    throw new Refused("a character class in a pattern is not judged");
}

function doubleQuotedAt(text: string, start: number): { readonly text: string; readonly end: number } {
  let value = "";
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char === '"') return { text: value, end: at + 1 };
    if (char === "$" || char === "`")
      throw new Refused(`\`${char}\` inside double quotes is expanded by the shell; use single quotes`);
    const next = text[at + 1];
    if (char === "\\" && next === "\n") throw new Refused("a backslash stands at the end of a line");
    if (char === "\\" && next !== undefined && '"\\$`'.includes(next)) {
      value += next;
      at += 1;
    } else value += char;
  }
  throw new Refused("a double quote is not closed");
}

/** Neighbours of one kind become one part; an empty word (`''`) keeps one empty part. */
function mergeParts(parts: readonly WordPart[]): Word {
  const merged: WordPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (last !== undefined && last.pattern === part.pattern)
      merged[merged.length - 1] = { text: last.text + part.text, pattern: part.pattern };
    else merged.push(part);
  }
  return merged;
}

/** The word for the shell: literal text in single quotes, pattern characters bare. */
export function renderWord(word: Word): string {
  if (word.length === 0) return "''";
  return word.map((part) => (part.pattern ? part.text : shellQuote(part.text))).join("");
}
