// Front matter as YAML has it, read by the library: what simple-yaml.ts leaves to it. A module of its own, so that the
// library is loaded only where a rule needs it.

import { isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument } from "yaml";
import { messageOf } from "../base/errors.ts";
import {
  type Excerpt,
  type Field,
  type FieldsRead,
  type LinesRead,
  readFieldsByLine,
} from "./front-matter-lines.ts";
import type { Position } from "./rule.ts";

/** The fields of a front matter: as strict YAML, else key by key with what is odd about each. Never throws. */
export function readFields(excerpt: Excerpt): LinesRead {
  const read = readYamlFields(excerpt);
  return read.ok ? { fields: read.fields, problems: [] } : readFieldsByLine(excerpt, readYamlFields);
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
    const fieldOf = ({ key, value }: Pair, above: Position): Field => {
      const position = at(key, above);
      const items = isSeq(value) ? value.items : [value];
      return {
        key: isScalar(key) ? String(key.value) : String(key),
        value: toPlain(value, document),
        position,
        items: items.map((item) => at(item, position)),
        ...(isMap(value) ? { fields: value.items.map((pair) => fieldOf(pair, position)) } : {}),
      };
    };
    return { ok: true, fields: document.contents.items.map((pair) => fieldOf(pair, { line, column })) };
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
