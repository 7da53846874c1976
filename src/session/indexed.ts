// A Session over an index: entries are decoded from their lines when somebody asks, one at a time, and not kept.

import { Buffer } from "node:buffer";
import { isObject, parseJson } from "../base/json.ts";
import { decodeEntry, encodeEntry } from "./codec.ts";
import type { Entry, SessionProblem } from "./entry.ts";
import { idBytes } from "./id-table.ts";
import type { LineIndex } from "./line-index.ts";
import { classifyLine } from "./line-problems.ts";
import { migrateEntry } from "./migrate.ts";
import { findMember, isString } from "./peek.ts";
import { problemAt } from "./problems.ts";
import { rewrittenLine, unreadableEntry } from "./raw-line.ts";
import type { Session, SessionFormat } from "./session.ts";

const DECODER = new TextDecoder();

export interface IndexedParts {
  readonly index: LineIndex;
  readonly format: SessionFormat;
  readonly path: string | undefined;
  readonly sourceBytes: number;
}

/** A session over an index. Problems that only decoding finds join `problems` when the entry is first decoded. */
export function indexedSession({ index, format, path, sourceBytes }: IndexedParts): Session {
  const { rows, links, header } = index;
  const problems: SessionProblem[] = [...index.problems];
  const { typeAt, idAt, parentIdAt } = namesOf(index);
  const entryAt = entryDecoder(index, problems);
  const leaf = leafOf(index);
  const indexOf = (id: string) => {
    const found = links.latest(idBytes(id));
    return found < 0 ? undefined : found;
  };
  return {
    ...{ header, format, path, sourceBytes, problems, typeAt, indexOf, entryAt },
    size: rows.length,
    leafId: leaf < 0 ? null : idAt(leaf),
    row: (at) => ({ id: idAt(at), parentId: parentIdAt(at), type: typeAt(at), line: rows.line(at) }),
    isAnswerAt: (at) => typeAt(at) === "message" && isAnswer(index, at),
    parentAt: (at) => rows.parent(at),
    linkProblem: (at) => links.problem(at),
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

interface Names {
  typeAt(at: number): string;
  idAt(at: number): string;
  /** As the entry's line names it, also where that leads nowhere. */
  parentIdAt(at: number): string | null;
}

function namesOf({ rows, links, types }: LineIndex): Names {
  const typeNames = Array.from({ length: types.size }, (_, number) => types.text(number));
  const idAt = (at: number) => links.ids.text(rows.row(at).id);
  return {
    typeAt: (at) => typeNames[rows.type(at)] ?? "",
    idAt,
    parentIdAt(at) {
      const parent = rows.parent(at);
      return links.named(at) ?? (parent < 0 ? null : idAt(parent));
    },
  };
}

/** Decodes entries one at a time. What is wrong with one goes to `problems`, once. */
function entryDecoder(index: LineIndex, problems: SessionProblem[]): (at: number) => Entry {
  const { rows, given, header } = index;
  const { typeAt, idAt, parentIdAt } = namesOf(index);
  const reported = new Set<number>();
  const report = (at: number, problem: SessionProblem) => {
    if (!reported.has(at)) problems.push(problem);
    reported.add(at);
  };
  return (at) => {
    const known = given.get(at);
    if (known !== undefined) return known;
    const place = { id: idAt(at), parentId: parentIdAt(at), timestamp: header.timestamp };
    const bytes = bytesOf(index, at);
    const value = parseJson(DECODER.decode(bytes));
    if (!isObject(value)) {
      report(at, classifyLine({ bytes, value, line: rows.line(at), ended: true }));
      return unreadableEntry(place, rows.line(at));
    }
    const { entry, missing } = decodeEntry(
      migrateEntry(value, (position) => (position <= rows.length ? idAt(position - 1) : undefined)),
      place,
    );
    if (missing !== undefined)
      report(at, problemAt(rows.line(at), "missing-field", `the ${typeAt(at)} entry lacks ${missing}`));
    return entry;
  };
}

const ENCODER = new TextEncoder();
const MESSAGE = ENCODER.encode("message");
const ROLE = ENCODER.encode("role");
const ASSISTANT = ENCODER.encode("assistant");
const STOP_REASON = ENCODER.encode("stopReason");
const ABORTED = ENCODER.encode("aborted");
const ABORTED_VALUE = ENCODER.encode('"aborted"');

function isAnswer(index: LineIndex, at: number): boolean {
  const given = index.given.get(at);
  if (given !== undefined) {
    const message = given.type === "message" ? given.message : undefined;
    return message?.role === "assistant" && message.stopReason !== "aborted";
  }
  const { block, start, end } = index.rows.row(at);
  const bytes = index.blocks[block];
  if (bytes === undefined) return false;
  const message = findMember(bytes, start, MESSAGE);
  if (message < 0 || !isString(bytes, findMember(bytes, message, ROLE), ASSISTANT)) return false;
  // The reason stands behind the content, however long that is; the system's search goes through it at once. Inside
  // another string the quotes are escaped.
  const line = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  if (!line.includes(ABORTED_VALUE)) return true;
  return !isString(bytes, findMember(bytes, message, STOP_REASON), ABORTED);
}

const DISCARDED_END = Buffer.from(',"discarded":true}');

/** The last entry; where that is a message that a rule discarded, the one before it on its branch. -1 for none. */
function leafOf(index: LineIndex): number {
  const last = index.rows.length - 1;
  if (last < 0) return -1;
  // The mark is the last member of the line that has it.
  const tail = bytesOf(index, last).subarray(-DISCARDED_END.length);
  return DISCARDED_END.equals(tail) ? index.rows.parent(last) : last;
}

function bytesOf(index: LineIndex, at: number): Uint8Array {
  const row = index.rows.row(at);
  return index.blocks[row.block]?.subarray(row.start, row.end) ?? new Uint8Array(0);
}

/** The line that a rewritten file has for an entry. */
function lineAt(index: LineIndex, at: number, entryAt: (at: number) => Entry): Uint8Array {
  const bytes = bytesOf(index, at);
  if (index.given.has(at) || !isObject(parseJson(DECODER.decode(bytes))))
    return ENCODER.encode(encodeEntry(entryAt(at)));
  const { version } = index;
  const complete = !index.incomplete.has(at);
  // What rewrittenLine would say, without decoding the entry for it.
  if (complete && version >= 3) return bytes;
  return rewrittenLine({ bytes, entry: entryAt(at), complete, version });
}
