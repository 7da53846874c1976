// The front matter of a rule: YAML between two lines of three dashes. What strict YAML refuses but people write is read
// key by key instead (front-matter-lines.ts); every value knows where it stands in the file.

import { isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { messageOf } from "../base/errors.ts";
import type { Problem } from "./finding.ts";
import { type Excerpt, type Field, type FieldsRead, readFieldsByLine } from "./front-matter-lines.ts";
import type { Position } from "./rule.ts";
import { readSimpleFields } from "./simple-yaml.ts";

export interface FrontMatter {
  readonly fields: readonly Field[];
  /** What follows the front matter, without blank lines around it. */
  readonly body: string;
  readonly bodyPosition: Position;
  readonly problems: readonly Problem[];
}

/** Splits a rule's text. Never throws; a text without front matter is all body. */
export function parseFrontMatter(source: string): FrontMatter {
  const lines = source.replace(/^\uFEFF/, "").split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== "");
  if (lines[first]?.trimEnd() !== "---") return { fields: [], ...bodyFrom(lines, 0), problems: [] };
  const end = lines.findIndex((line, index) => index > first && /^(---|\.\.\.)\s*$/.test(line));
  if (end < 0) return unterminated(lines, first);
  const excerpt: Excerpt = { text: lines.slice(first + 1, end).join("\n"), line: first + 2, column: 1 };
  const strict = readStrictly(excerpt);
  const read = strict.ok
    ? { fields: strict.fields, problems: [] }
    : readFieldsByLine(excerpt, readYamlFields);
  return { ...read, ...bodyFrom(lines, end + 1) };
}

function readStrictly(excerpt: Excerpt): FieldsRead {
  const fields = readSimpleFields(excerpt);
  return fields === undefined ? readYamlFields(excerpt) : { ok: true, fields };
}

/** Reads a block of front matter as one YAML mapping with string keys. */
export function readYamlFields({ text, line, column }: Excerpt): FieldsRead {
  if (text.trim() === "") return { ok: true, fields: [] };
  const counter = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, stringKeys: true });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) return { ok: false, reason: firstLine(problem.message) };
    if (document.contents === null) return { ok: true, fields: [] };
    if (!isMap(document.contents)) return { ok: false, reason: "it is not a list of keys and values" };
    const at = (node: unknown, otherwise: Position): Position => {
      const offset = rangeStart(node);
      if (offset === undefined) return otherwise;
      const { line: row, col } = counter.linePos(offset);
      return { line: line + row - 1, column: column + col - 1 };
    };
    const fields = document.contents.items.map(({ key, value }): Field => {
      const position = at(key, { line, column });
      const items = isSeq(value) ? value.items : [value];
      return {
        key: isScalar(key) ? String(key.value) : String(key),
        value: toPlain(value, document),
        position,
        items: items.map((item) => at(item, position)),
      };
    });
    return { ok: true, fields };
  } catch (error) {
    return { ok: false, reason: firstLine(messageOf(error)) };
  }
}

function toPlain(node: unknown, document: ReturnType<typeof parseDocument>): unknown {
  if (typeof node === "object" && node !== null && "toJS" in node && typeof node.toJS === "function") {
    const value: unknown = node.toJS(document);
    return value;
  }
  return node;
}

function rangeStart(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("range" in node) || !Array.isArray(node.range))
    return undefined;
  const start: unknown = node.range[0];
  return typeof start === "number" ? start : undefined;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/** No line closes the front matter: the whole file is taken as the body, and that is said. */
function unterminated(lines: readonly string[], first: number): FrontMatter {
  const position = { line: first + 1, column: 1 };
  return {
    fields: [],
    ...bodyFrom(lines, first + 1),
    problems: [
      {
        code: "R012",
        position,
        message: "the front matter that begins here is never closed, so the whole file was taken as the body",
        fix: "close it with a line of three dashes",
      },
    ],
  };
}

function bodyFrom(
  lines: readonly string[],
  from: number,
): { readonly body: string; readonly bodyPosition: Position } {
  const rest = lines.slice(from);
  const blank = rest.findIndex((line) => line.trim() !== "");
  return {
    body: rest.join("\n").trim(),
    bodyPosition: { line: from + Math.max(blank, 0) + 1, column: 1 },
  };
}
