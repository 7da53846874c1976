// A Session over an index: entries are decoded from their lines when somebody asks, one at a time, and not kept.

import { isObject, parseJson } from "../base/json.ts";
import { decodeEntry, encodeEntry } from "./codec.ts";
import type { Entry, SessionProblem } from "./entry.ts";
import { idBytes } from "./id-table.ts";
import type { LineIndex } from "./line-index.ts";
import { migrateEntry } from "./migrate.ts";
import { findMember, stringFrom } from "./peek.ts";
import { problemAt } from "./problems.ts";
import { rewrittenLine } from "./raw-line.ts";
import type { Session, SessionFormat } from "./session.ts";

const DECODER = new TextDecoder();

export interface IndexedParts {
  readonly index: LineIndex;
  readonly format: SessionFormat;
  readonly path: string | undefined;
  readonly sourceBytes: number;
}

/** A session over an index. Problems that only decoding finds join `problems` when the entry is first decoded. */
export function indexedSession(parts: IndexedParts): Session {
  const { index, format, path } = parts;
  const { rows, links, types } = index;
  const typeNames = Array.from({ length: types.size }, (_, number) => types.text(number));
  const typeAt = (at: number) => typeNames[rows.type(at)] ?? "";
  const problems: SessionProblem[] = [...index.problems];
  const reported = new Set<number>();
  const idOf = (at: number) => links.ids.text(rows.row(at).id);
  const parentIdOf = (at: number): string | null => {
    const named = links.named(at);
    if (named !== undefined) return named;
    const parent = rows.parent(at);
    return parent < 0 ? null : idOf(parent);
  };
  const report = (at: number, problem: SessionProblem) => {
    if (!reported.has(at)) problems.push(problem);
    reported.add(at);
  };
  const entryAt = (at: number): Entry => {
    const given = index.given.get(at);
    if (given !== undefined) return given;
    const place = { id: idOf(at), parentId: parentIdOf(at), timestamp: index.header.timestamp };
    const value = parseJson(DECODER.decode(bytesOf(index, at)));
    const line = rows.line(at);
    if (!isObject(value)) {
      report(at, problemAt(line, "not-json", "the line is not JSON"));
      return { type: "unknown", ...place, originalType: typeAt(at), raw: {} };
    }
    const migrated = migrateEntry(value, (position) =>
      position <= rows.length ? idOf(position - 1) : undefined,
    );
    const { entry, missing } = decodeEntry(migrated, place);
    if (missing !== undefined)
      report(at, problemAt(line, "missing-field", `the ${String(value["type"])} entry lacks ${missing}`));
    return entry;
  };
  const indexOf = (id: string) => {
    const found = links.latest(idBytes(id));
    return found < 0 ? undefined : found;
  };
  return {
    header: index.header,
    format,
    path,
    sourceBytes: parts.sourceBytes,
    problems,
    size: rows.length,
    leafId: rows.length === 0 ? null : idOf(rows.length - 1),
    row: (at) => ({
      id: idOf(at),
      parentId: parentIdOf(at),
      type: typeAt(at),
      line: rows.line(at),
    }),
    typeAt,
    isAnswerAt: (at) => typeAt(at) === "message" && isAnswer(index, at),
    parentAt: (at) => rows.parent(at),
    linkProblem: (at) => links.problem(at),
    indexOf,
    entryAt,
    entry(id) {
      const at = indexOf(id);
      return at === undefined ? undefined : entryAt(at);
    },
    *entries() {
      for (let at = 0; at < rows.length; at++) yield entryAt(at);
    },
    lineAt: (at) => lineAt(index, at, entryAt),
    bytesAt: (at) => (index.version < 3 || index.given.has(at) ? undefined : bytesOf(index, at)),
  };
}

const ENCODER = new TextEncoder();
const [MESSAGE, ROLE, STOP_REASON] = ["message", "role", "stopReason"].map((name) => ENCODER.encode(name));

function isAnswer(index: LineIndex, at: number): boolean {
  const given = index.given.get(at);
  if (given !== undefined) {
    const message = given.type === "message" ? given.message : undefined;
    return message?.role === "assistant" && message.stopReason !== "aborted";
  }
  const { block, start } = index.rows.row(at);
  const bytes = index.blocks[block];
  if (bytes === undefined || MESSAGE === undefined || ROLE === undefined || STOP_REASON === undefined)
    return false;
  const message = findMember(bytes, start, MESSAGE);
  if (message < 0 || stringFrom(bytes, findMember(bytes, message, ROLE)) !== "assistant") return false;
  return stringFrom(bytes, findMember(bytes, message, STOP_REASON)) !== "aborted";
}

function bytesOf(index: LineIndex, at: number): Uint8Array {
  const row = index.rows.row(at);
  return index.blocks[row.block]?.subarray(row.start, row.end) ?? new Uint8Array(0);
}

/** The line that a rewritten file has for an entry; undefined where the line is not JSON after all. */
function lineAt(index: LineIndex, at: number, entryAt: (at: number) => Entry): Uint8Array | undefined {
  if (index.given.has(at)) return new TextEncoder().encode(encodeEntry(entryAt(at)));
  const bytes = bytesOf(index, at);
  if (parseJson(DECODER.decode(bytes)) === undefined) return undefined;
  const { version } = index;
  const complete = !index.incomplete.has(at);
  // What rewrittenLine would say, without decoding the entry for it.
  if (complete && version >= 3) return bytes;
  return rewrittenLine({ bytes, entry: entryAt(at), complete, version });
}
