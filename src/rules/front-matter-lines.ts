// Front matter that strict YAML refuses, read key by key: each key alone is tried as YAML first, so that one odd line
// changes nothing else, and what still fails is taken as the text that stands there. Each such key is a warning.

import type { Problem } from "./finding.ts";
import type { Position } from "./rule.ts";

/** One key of the front matter. `items` are the positions of a list's items, or of the one value. */
export interface Field {
  readonly key: string;
  readonly value: unknown;
  readonly position: Position;
  readonly items: readonly Position[];
  /** The keys of a value that has some. */
  readonly fields?: readonly Field[];
}

/** Some lines of a file. `line` is the number of the first one, `column` where each begins. */
export interface Excerpt {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

export type FieldsRead =
  | { readonly ok: true; readonly fields: readonly Field[] }
  /** Not a strict YAML mapping. */
  | { readonly ok: false; readonly reason: string };

export interface LinesRead {
  readonly fields: readonly Field[];
  readonly problems: readonly Problem[];
}

/** Reads one excerpt as strict YAML. Passed in, for the two readers call each other. */
export type StrictReader = (excerpt: Excerpt) => FieldsRead;

const KEY_LINE = /^(?:"([^"]*)"|'([^']*)'|([A-Za-z_][\w.-]*))[ \t]*:(?=\s|$)/;

/** Reads keys and values line by line. Never throws. A key that is given twice counts as it was given last. */
export function readFieldsByLine(excerpt: Excerpt, strict: StrictReader): LinesRead {
  const fields = new Map<string, Field>();
  const problems: Problem[] = [];
  for (const part of splitByKey(excerpt)) {
    const key = keyOf(part.text);
    const position = { line: part.line, column: part.column };
    if (key === undefined) {
      if (part.text.trim() !== "") problems.push(noKey(position));
      continue;
    }
    if (fields.has(key)) problems.push(givenTwice(key, position));
    const read = strict(part);
    const [field] = read.ok ? read.fields : [];
    if (field !== undefined) fields.set(key, field);
    else {
      const reason = read.ok ? "it has no value" : read.reason;
      fields.set(key, readAsWritten({ key, part, strict }));
      problems.push({
        code: "R012",
        position,
        message: `the value of "${key}" is not strict YAML (${reason}); it was read as it is written`,
        fix: adviceFor(part.text),
      });
    }
  }
  return { fields: [...fields.values()], problems };
}

/** Several quoted texts in a row are meant as a list; anything else wants quotes. */
function adviceFor(text: string): string {
  return /:\s*(["'])[^"']*\1\s*,/.test(text)
    ? "put the values in brackets, as a list"
    : "put the value in single quotes";
}

/** Excerpts that each begin with a line `key:` and hold the lines that belong to it. */
function splitByKey({ text, line, column }: Excerpt): readonly Excerpt[] {
  const parts: Excerpt[] = [];
  let from = 0;
  const lines = text.split("\n");
  const close = (to: number): void => {
    if (to > from) parts.push({ text: lines.slice(from, to).join("\n"), line: line + from, column });
    from = to;
  };
  lines.forEach((row, index) => {
    if (KEY_LINE.test(row)) close(index);
  });
  close(lines.length);
  return parts;
}

function keyOf(text: string): string | undefined {
  const match = KEY_LINE.exec(text);
  return match === null ? undefined : (match[1] ?? match[2] ?? match[3]);
}

interface WrittenField {
  readonly key: string;
  readonly part: Excerpt;
  readonly strict: StrictReader;
}

/** The value as the characters that stand there: a text, a list of texts, or keys with such values. */
function readAsWritten({ key, part, strict }: WrittenField): Field {
  const [head = "", ...rest] = part.text.split("\n");
  const position: Position = { line: part.line, column: part.column };
  const keyLength = KEY_LINE.exec(head)?.[0].length ?? 0;
  const inline = head.slice(keyLength);
  const inlineAt = { line: part.line, column: part.column + keyLength + leadingSpaces(inline) };
  const below = rest.filter((line) => line.trim() !== "" && !line.trim().startsWith("#"));
  if (withoutComment(inline) === "" && below.length > 0) {
    if (below.every((line) => /^\s*-(\s|$)/.test(line))) {
      const items = rest.flatMap((line, index) => {
        const dash = /^\s*-\s*/.exec(line)?.[0].length;
        if (dash === undefined || line.trim().startsWith("#")) return [];
        const at = { line: part.line + 1 + index, column: part.column + dash };
        return [{ value: readItem(line.slice(dash), strict), at }];
      });
      return { key, position, value: items.map(({ value }) => value), items: items.map(({ at }) => at) };
    }
    const indent = Math.min(...below.map(leadingSpaces));
    if (indent > 0 && below.some((line) => KEY_LINE.test(line.slice(indent)))) {
      const text = rest.map((line) => line.slice(indent)).join("\n");
      const nested = { text, line: part.line + 1, column: part.column + indent };
      const { fields } = readFieldsByLine(nested, strict);
      const value = Object.fromEntries(fields.map((field) => [field.key, field.value]));
      return { key, position, value, items: fields.map((field) => field.position), fields };
    }
  }
  const text = [inline, ...below].map((line) => withoutComment(line)).join(" ");
  const value = textOrList(text.trim());
  return { key, position, value, items: Array.isArray(value) ? value.map(() => inlineAt) : [inlineAt] };
}

/** One item of a list: as YAML reads it, else as it is written. */
function readItem(text: string, strict: StrictReader): unknown {
  const read = strict({ text: `item: ${text}`, line: 1, column: 1 });
  const value = read.ok ? read.fields[0]?.value : undefined;
  return typeof value === "string" ? value : textOrList(withoutComment(text));
}

/** A text without its quotes, or the parts of `[a, b]`. */
function textOrList(text: string): string | readonly string[] {
  if (text.startsWith("[") && text.endsWith("]"))
    return splitList(text.slice(1, -1)).map((item) => unquote(item));
  return unquote(text);
}

/** The parts of a list that is separated by commas; commas in quotes and in brackets of any kind separate nothing. */
export function splitList(text: string): readonly string[] {
  const parts: string[] = [];
  let part = "";
  let quote = "";
  let depth = 0;
  const close = (): void => {
    const trimmed = part.trim();
    if (trimmed !== "") parts.push(trimmed);
    part = "";
  };
  for (const char of text) {
    if (quote !== "") quote = char === quote ? "" : quote;
    else if ((char === '"' || char === "'") && part.trim() === "") quote = char;
    else if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    if (char === "," && quote === "" && depth <= 0) close();
    else part += char;
  }
  close();
  return parts;
}

/** Without the quotes around it, if there are. Backslashes stay, but for those before a quote or a backslash. */
export function unquote(text: string): string {
  if (/^"([^"\\]|\\.)*"$/s.test(text)) return text.slice(1, -1).replace(/\\(["\\])/g, "$1");
  if (/^'([^']|'')*'$/s.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  return text;
}

/** As YAML has it: ` #` begins a comment, but not inside quotes. */
function withoutComment(line: string): string {
  const text = line.trim();
  if (/^(["']).*\1$/.test(text)) return text;
  return text.startsWith("#") ? "" : text.replace(/\s#.*$/, "").trimEnd();
}

function leadingSpaces(line: string): number {
  return line.length - line.trimStart().length;
}

function noKey(position: Position): Problem {
  return {
    code: "R012",
    position,
    message: "this is neither a key with a value nor part of one; it was left out",
    fix: 'write "key: value"',
  };
}

function givenTwice(key: string, position: Position): Problem {
  return {
    code: "R012",
    position,
    message: `"${key}" is given twice; the last one counts`,
    fix: "keep one of them",
  };
}
