// The part of YAML that nearly every rule is written in, read without the library, whose first documents cost as much
// as starting the program does. What is outside of that part is left to the library; inside of it both agree.

import { withoutLast } from "../base/text.ts";
import type { Excerpt, Field } from "./front-matter-lines.ts";

/** A value, and where it or each of its items stands. */
interface Value {
  readonly value: unknown;
  readonly columns: readonly { readonly line: number; readonly column: number }[];
  readonly fields?: readonly Field[];
}

interface Line {
  readonly text: string;
  readonly number: number;
  readonly indent: number;
}

/** Keys and values: texts, whole numbers, booleans, lists of these, and one level of keys below a key. */
export function readSimpleFields(excerpt: Excerpt): readonly Field[] | undefined {
  const lines: Line[] = [];
  for (const [index, text] of excerpt.text.split("\n").entries()) {
    if (!PRINTABLE.test(text)) return undefined;
    // Spaces alone: what else looks like one is a character to YAML.
    const trimmed = text.endsWith(" ") ? withoutLast(text, " ") : text;
    const indent = trimmed.search(/[^ ]|$/);
    if (trimmed !== "" && trimmed[indent] !== "#") {
      lines.push({ text: trimmed, number: excerpt.line + index, indent });
    }
  }
  return readKeys(lines, { indent: 0, column: excerpt.column, nested: false });
}

/** No control characters, tabs among them, and none that YAML takes for a line break or a mark. */
const PRINTABLE = /^[ -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\uffef]*$/;
const KEY = /^([A-Za-z_][\w-]*):(?: +|$)/;
/** Texts that stand without quotes and are neither a number nor another word with a meaning. */
const PLAIN = /^[A-Za-z(\\^$/<](?:(?!: |:$| #).)*$/;
const PLAIN_IN_LIST = /^[A-Za-z_(\\^$/<](?:(?!: |:$| #)[^,[\]{}])*$/;
const MEANT = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const SINGLE = /^'((?:[^']|'')*)'$/;
const DOUBLE = /^"([^"\\]*)"$/;

interface Level {
  readonly indent: number;
  readonly column: number;
  readonly nested: boolean;
}

function readKeys(lines: readonly Line[], level: Level): readonly Field[] | undefined {
  const fields: Field[] = [];
  const keys = new Set<string>();
  for (let index = 0; index < lines.length; ) {
    const line = lines[index];
    const match = line === undefined ? null : KEY.exec(line.text.slice(line.indent));
    if (line === undefined || line.indent !== level.indent || match === null) return undefined;
    const key = match[1] ?? "";
    if (MEANT.test(key) || keys.has(key)) return undefined;
    keys.add(key);
    const after = index + 1;
    let end = after;
    while (isBelow(lines[end], line)) end += 1;
    const inline = line.text.slice(line.indent + match[0].length);
    const column = level.column + line.indent;
    const below = lines.slice(after, end);
    const read =
      inline === ""
        ? readBelow(below, level)
        : below.length > 0
          ? undefined
          : readInline(inline, line.number, column + match[0].length);
    if (read === undefined) return undefined;
    const { value, columns: items, fields: nested } = read;
    const position = { line: line.number, column };
    fields.push({ key, value, position, items, ...(nested === undefined ? {} : { fields: nested }) });
    index = end;
  }
  return fields;
}

/** Whether a line belongs to the key: it is indented more, or it is an item of its list. */
function isBelow(line: Line | undefined, key: Line): boolean {
  if (line === undefined) return false;
  return line.indent > key.indent || (line.indent === key.indent && line.text.startsWith("- ", line.indent));
}

function readInline(text: string, line: number, column: number): Value | undefined {
  if (text.startsWith("[") && text.endsWith("]")) return readFlowList(text, line, column);
  const scalar = readScalar(text, PLAIN);
  return scalar === undefined ? undefined : { value: scalar.value, columns: [{ line, column }] };
}

function readScalar(text: string, plain: RegExp): { readonly value: unknown } | undefined {
  const quoted = SINGLE.exec(text);
  if (quoted !== null) return { value: (quoted[1] ?? "").replaceAll("''", "'") };
  const double = DOUBLE.exec(text);
  if (double !== null) return { value: double[1] };
  if (text === "true" || text === "false") return { value: text === "true" };
  if (/^(?:0|[1-9]\d{0,8})$/.test(text)) return { value: Number(text) };
  return plain.test(text) && !MEANT.test(text) ? { value: text } : undefined;
}

/** `[a, 'b', "c"]` on one line. */
function readFlowList(text: string, line: number, column: number): Value | undefined {
  const inside = text.slice(1, -1);
  const item = / *('(?:[^']|'')*'|"[^"\\]*"|[^,'"[\]{}][^,[\]{}]*) *(?:,|$)/y;
  const values: unknown[] = [];
  const columns: { line: number; column: number }[] = [];
  for (let at = 0; at < inside.length; at = item.lastIndex) {
    item.lastIndex = at;
    const match = item.exec(inside);
    const scalar = match === null ? undefined : readScalar(withoutLast(match[1] ?? "", " "), PLAIN_IN_LIST);
    if (match === null || scalar === undefined) return undefined;
    if (item.lastIndex === inside.length && inside.endsWith(",")) return undefined;
    values.push(scalar.value);
    columns.push({ line, column: column + 1 + inside.indexOf(match[1] ?? "", at) });
  }
  return values.length === 0 ? undefined : { value: values, columns };
}

/** What stands below a key: a list of items, or keys. */
function readBelow(lines: readonly Line[], level: Level): Value | undefined {
  const [first] = lines;
  if (first === undefined) return undefined;
  if (first.text.startsWith("- ", first.indent)) return readItems(lines, first.indent, level.column);
  if (level.nested || first.indent <= level.indent) return undefined;
  const fields = readKeys(lines, { indent: first.indent, column: level.column, nested: true });
  if (fields === undefined) return undefined;
  return {
    value: Object.fromEntries(fields.map(({ key, value }) => [key, value])),
    columns: [{ line: first.number, column: level.column + first.indent }],
    fields,
  };
}

function readItems(lines: readonly Line[], indent: number, firstColumn: number): Value | undefined {
  const values: unknown[] = [];
  const columns: { line: number; column: number }[] = [];
  for (const { text, number, indent: own } of lines) {
    const match = own === indent ? /^- +/.exec(text.slice(indent)) : null;
    const column = indent + (match?.[0].length ?? 0);
    const scalar = match === null ? undefined : readScalar(text.slice(column), PLAIN);
    if (scalar === undefined) return undefined;
    values.push(scalar.value);
    columns.push({ line: number, column: firstColumn + column });
  }
  return { value: values, columns };
}
