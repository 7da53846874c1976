// JSON with comments and trailing commas. The only importer of the library: `parse` has the signature of the standard
// library's JSONC module, so that another one can take its place here.

import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/** A text that is not JSONC. `offset` counts UTF-16 units from 0. */
export class JsoncError extends SyntaxError {
  override readonly name = "JsoncError";
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** A place in a text; both from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A parsed text that still knows where each value stands. */
export interface JsoncDocument {
  readonly value: unknown;
  /** Where the value at `path` begins, or the nearest value around it that exists. */
  position(path: readonly (string | number)[]): Position;
  /** Where the member's name stands. */
  keyPosition(path: readonly (string | number)[]): Position;
}

/** The value of a JSONC text. Throws `JsoncError`. */
export function parse(text: string): unknown {
  return parseDocument(text).value;
}

/** Parses and keeps positions. Throws `JsoncError`: for a syntax error, a key given twice, or too deep nesting. */
export function parseDocument(text: string): JsoncDocument {
  const body = text.startsWith("\ufeff") ? ` ${text.slice(1)}` : text;
  const root = treeOf(body);
  const nodeAt = (path: readonly (string | number)[]): Node => {
    for (let length = path.length; length > 0; length--) {
      const node = findNodeAtLocation(root, path.slice(0, length));
      if (node !== undefined) return node;
    }
    return root;
  };
  return {
    value: decodeNode(root),
    position: (path) => positionAt(body, nodeAt(path).offset),
    keyPosition: (path) => {
      const node = nodeAt(path);
      const property = node.parent?.type === "property" ? node.parent : node;
      return positionAt(body, property.offset);
    },
  };
}

/** The place of an offset. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

function treeOf(text: string): Node {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  } catch (error) {
    if (error instanceof RangeError) throw new JsoncError("nested too deeply", 0);
    throw error;
  }
  const first = errors[0];
  if (first !== undefined) throw new JsoncError(wordsOf(printParseErrorCode(first.error)), first.offset);
  if (root === undefined) throw new JsoncError("there is no value", text.length);
  return root;
}

/** `PropertyNameExpected` → `property name expected`. */
function wordsOf(code: string): string {
  return code.replace(/(?!^)[A-Z]/g, " $&").toLowerCase();
}

/** Members are own properties whatever their names, `__proto__` too. */
function decodeNode(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(decodeNode);
  if (node.type !== "object") return node.value;
  const members = new Map<string, unknown>();
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    if (members.has(name)) throw new JsoncError(`"${name}" is given twice`, key.offset);
    members.set(name, decodeNode(value));
  }
  return Object.fromEntries(members);
}
