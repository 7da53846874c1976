// Blocks of lines → an index of entries: what stands where, of which type, linked to which parent. The lines' bytes stay
// as they were read, and nothing but the header is parsed.

import { isObject, parseJson, stringAt } from "../base/json.ts";
import { type LineBlock, withoutReturn } from "../base/lines.ts";
import type { Entry, SessionHeader, SessionProblem } from "./entry.ts";
import { createHeaderReader, type HeaderReader } from "./header-reader.ts";
import { createIdTable, type IdBytes, type IdTable, idBytes } from "./id-table.ts";
import { derivedEntryId } from "./ids.ts";
import { isHeaderOrTitle, scanHead } from "./line-head.ts";
import { classifyLine, tooDeep } from "./line-problems.ts";
import { createLinks, type Links, type ParentName } from "./links.ts";
import { problemAt } from "./problems.ts";
import { createRows, type Rows } from "./rows.ts";
import { type LineScan, newLineScan, type StringRange, scanLine, spells } from "./scan.ts";

const NEWLINE = 10;
const DECODER = new TextDecoder();

export interface LineIndex {
  readonly header: SessionHeader;
  /** 1, 2 or 3, as the header says; without a header, as the entries look. */
  readonly version: number;
  readonly rows: Rows;
  readonly links: Links;
  readonly types: IdTable;
  readonly blocks: readonly Uint8Array[];
  /** Entries that were given as they are, by row. */
  readonly given: ReadonlyMap<number, Entry>;
  /** Rows whose line lacks an id or a parent. */
  readonly incomplete: ReadonlySet<number>;
  readonly problems: readonly SessionProblem[];
}

export interface LineIndexBuilder {
  addBlock(block: LineBlock): void;
  /** An entry of a converted session, and the line that it comes from. */
  addEntry(entry: Entry, line: number): void;
  setHeader(header: SessionHeader): void;
  addProblem(problem: SessionProblem): void;
  /** Undefined if there was neither a header nor an entry. */
  finish(): LineIndex | undefined;
}

/** A builder for one source. Add everything in order, then `finish`. */
export function createLineIndex(): LineIndexBuilder {
  const state = newState();
  return {
    addBlock(block) {
      state.blocks.push(block.bytes);
      for (let start = 0; start < block.bytes.length; ) {
        const newline = block.bytes.indexOf(NEWLINE, start);
        state.line += 1;
        addLine(state, block, { start, end: withoutReturn(block.bytes, start, newline) });
        start = newline + 1;
      }
    },
    addEntry(entry, line) {
      state.given.set(state.rows.length, entry);
      const parent = entry.parentId === null ? null : idBytes(entry.parentId);
      const link = state.links.add(idBytes(entry.id), parent, line);
      const type = state.types.add(idBytes(entry.type));
      state.rows.push({ id: link.id, type, line, block: -1, start: 0, end: 0 }, link.parent);
    },
    setHeader: (header) => state.headers.set(header),
    addProblem: (problem) => state.problems.push(problem),
    finish: () => finish(state),
  };
}

interface State {
  line: number;
  /** The first line that is not empty, for the id of a session without header. */
  first: Uint8Array | undefined;
  /** Lines of entries without an id. */
  readonly withoutId: Set<number>;
  readonly headers: HeaderReader;
  readonly scan: LineScan;
  readonly rows: Rows;
  readonly links: Links;
  readonly types: IdTable;
  /** Of the entry before. */
  lastType: { readonly word: Uint8Array; readonly number: number } | undefined;
  readonly blocks: Uint8Array[];
  readonly given: Map<number, Entry>;
  readonly incomplete: Set<number>;
  readonly problems: SessionProblem[];
}

function newState(): State {
  const problems: SessionProblem[] = [];
  return {
    line: 0,
    headers: createHeaderReader(problems),
    first: undefined,
    withoutId: new Set(),
    scan: newLineScan(),
    rows: createRows(),
    links: createLinks(),
    types: createIdTable(),
    lastType: undefined,
    blocks: [],
    given: new Map(),
    incomplete: new Set(),
    problems,
  };
}

function addLine(state: State, block: LineBlock, at: StringRange): void {
  const { bytes } = block;
  if (at.start === at.end) return;
  state.first ??= bytes.subarray(at.start, at.end);
  const { scan } = state;
  const outcome = scanHead(bytes, at.start, at.end, scan) ? "whole" : scanLine(bytes, at.start, at.end, scan);
  if (outcome === "deep") {
    state.problems.push(tooDeep(state.line));
    return;
  }
  const sure = outcome === "whole" && block.ended && !scan.escaped && scan.type.start >= 0;
  if (!sure || isHeaderOrTitle(bytes, scan.type)) {
    addParsed(state, block, at);
    return;
  }
  const id = scan.id.start < 0 ? undefined : { bytes, start: scan.id.start, end: scan.id.end };
  const parent = scan.parentIsNull
    ? null
    : scan.parentId.start < 0
      ? undefined
      : { bytes, start: scan.parentId.start, end: scan.parentId.end };
  addRow(state, { at, bytes, id, parent, type: { bytes, start: scan.type.start, end: scan.type.end } });
}

interface FoundRow {
  readonly at: StringRange;
  readonly bytes: Uint8Array;
  readonly id: IdBytes | undefined;
  readonly parent: ParentName;
  readonly type: IdBytes;
}

function addRow(state: State, found: FoundRow): void {
  const { rows, links, line } = state;
  const { at, bytes } = found;
  const index = rows.length;
  if (found.id === undefined || found.parent === undefined) state.incomplete.add(index);
  const link = links.add(found.id ?? derivedId(state, bytes.subarray(at.start, at.end)), found.parent, line);
  const type = typeNumber(state, found.type);
  rows.push(
    { id: link.id, type, line, block: state.blocks.length - 1, start: at.start, end: at.end },
    link.parent,
  );
  if (found.id === undefined) state.withoutId.add(line);
}

/** Most entries have the type of the one before: that is compared before the table is asked. */
function typeNumber(state: State, { bytes, start, end }: IdBytes): number {
  const { lastType } = state;
  if (lastType?.word.length === end - start && spells(bytes, start, lastType.word)) return lastType.number;
  const number = state.types.add({ bytes, start, end });
  state.lastType = { word: bytes.slice(start, end), number };
  return number;
}

function derivedId(state: State, content: Uint8Array): IdBytes {
  const { ids } = state.links;
  return idBytes(derivedEntryId(state.line, content, (id) => ids.find(idBytes(id)) >= 0));
}

/** A line that the scanner is not sure of, or that is no entry. */
function addParsed(state: State, block: LineBlock, at: StringRange): void {
  const bytes = block.bytes.subarray(at.start, at.end);
  const value = parseJson(DECODER.decode(bytes));
  if (!isObject(value)) {
    state.problems.push(classifyLine({ bytes, value, line: state.line, ended: block.ended }));
    return;
  }
  const isFirst = state.rows.length === 0 && state.problems.length === 0;
  if (state.headers.take({ value, bytes, line: state.line, isFirst })) return;
  const type = stringAt(value, "type");
  if (type === undefined) {
    state.problems.push(problemAt(state.line, "no-type", "the entry has no type"));
    return;
  }
  const id = stringAt(value, "id");
  const parentId = value["parentId"];
  addRow(state, {
    at,
    bytes: block.bytes,
    id: id === undefined ? undefined : idBytes(id),
    parent: parentId === null ? null : typeof parentId === "string" ? idBytes(parentId) : undefined,
    type: idBytes(type),
  });
}

function finish(state: State): LineIndex | undefined {
  const { rows, links, problems, incomplete, withoutId, headers } = state;
  if (headers.header === undefined && rows.length === 0) return undefined;
  const header = headers.finish(state.first ?? new Uint8Array(0), withoutId.size === rows.length ? 1 : 3);
  const { version = 3 } = headers;
  for (const { index, parent } of links.settle()) rows.setParent(index, parent);
  if (version > 1) {
    for (const index of incomplete) {
      const line = rows.line(index);
      problems.push(
        withoutId.has(line)
          ? problemAt(line, "no-id", "the entry has no id")
          : problemAt(line, "no-parent", "the entry has no parentId"),
      );
    }
  }
  // One at a time: a damaged file may have more than fit into a call's arguments.
  for (const problem of links.problems()) problems.push(problem);
  problems.sort((a, b) => a.line - b.line);
  return { ...state, header, version, problems };
}
