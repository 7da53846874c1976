// A session of our own format read line by line, every line parsed and checked, nothing kept but the ids. What it finds is
// what opening the file finds, and more: opening looks closely only at what it decodes.

import { isObject, type JsonObject, parseJson, stringAt } from "../base/json.ts";
import { type ByteLine, byteLineBatches } from "../base/lines.ts";
import { decodeEntry, encodeEntry } from "./codec.ts";
import type { Entry, SessionHeader, SessionProblem } from "./entry.ts";
import { createEntryChecks } from "./entry-checks.ts";
import { createHeaderReader, type HeaderReader, LAST_HEADER_LINE } from "./header-reader.ts";
import { reusedIdBytes } from "./id-table.ts";
import { derivedEntryId } from "./ids.ts";
import { brokenPlace } from "./line-head.ts";
import { classifyLine } from "./line-problems.ts";
import { createLinks, type Links } from "./links.ts";
import { migrateEntry } from "./migrate.ts";
import { problemAt } from "./problems.ts";
import { rewrittenLine, unreadableEntry } from "./raw-line.ts";

const LENIENT = new TextDecoder();

/** An entry and its line. */
export interface StreamedEntry {
  readonly kind: "entry";
  readonly entry: Entry;
  readonly line: number;
  /** The line for a file of version 3, without newline: the bytes as they were read wherever that is sound. */
  lineBytes(): Uint8Array;
}

/**
 * `header` comes once: before the first entry if the file has one there, else when its line is read; one that is made up
 * comes once no other can come. `problem` comes when it is found, links at the end.
 */
export type StreamedItem =
  | { readonly kind: "header"; readonly header: SessionHeader; readonly version: number }
  | StreamedEntry
  | { readonly kind: "problem"; readonly problem: SessionProblem };

/** Reads a stream of versions 1 to 3. Throws only what `chunks` throws. */
export async function* streamSession(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedItem, void> {
  for await (const items of streamBatches(chunks)) yield* items;
}

/**
 * The same items, as many at a time as came together. A batch is made while it is walked: walk each to its end, and
 * before the next is asked for.
 */
export async function* streamBatches(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Iterable<StreamedItem>, void> {
  const reader = createReader();
  for await (const lines of byteLineBatches(chunks)) yield reader.read(lines);
  yield reader.end();
}

interface Reader {
  read(lines: Iterable<ByteLine>): Generator<StreamedItem, void>;
  end(): readonly StreamedItem[];
}

function createReader(): Reader {
  const problems: SessionProblem[] = [];
  const headers = createHeaderReader(problems);
  const entries = createEntryReader(headers, problems);
  const parse = createLineParser(problems);
  let told = false;
  let bad = false;
  let first: Uint8Array | undefined;

  /** What was found so far, the header before the first entry that comes after it. */
  const taken = (entry?: StreamedEntry): readonly StreamedItem[] => {
    const found = problems.splice(0).map((problem) => ({ kind: "problem" as const, problem }));
    bad ||= found.length > 0;
    const items = entry === undefined ? [] : [entry];
    const { header, version = 3 } = headers;
    if (told || header === undefined) return [...found, ...items];
    told = true;
    return [...found, { kind: "header", header, version }, ...items];
  };

  const finishHeader = () => {
    headers.finish(first ?? new Uint8Array(0), entries.haveIds ? 3 : 1);
  };

  const readLine = (line: ByteLine): StreamedEntry | undefined => {
    const value = parse(line);
    if (value === undefined) return entries.passBroken(line);
    const isFirst = entries.count === 0 && !bad && problems.length === 0;
    if (headers.take({ value, bytes: line.bytes, line: line.number, isFirst })) return undefined;
    return entries.read(value, line);
  };

  return {
    *read(lines) {
      for (const line of lines) {
        if (line.bytes.length === 0) continue;
        first ??= line.bytes.slice();
        if (!told && line.number > LAST_HEADER_LINE) finishHeader();
        const entry = readLine(line);
        // Nearly always the entry is all that there is.
        if (entry !== undefined && told && problems.length === 0) yield entry;
        else yield* taken(entry);
      }
    },
    end() {
      if (headers.header === undefined && entries.count === 0) {
        problems.push(problemAt(0, "empty-file", "no line of the file can be used"));
        return taken();
      }
      finishHeader();
      entries.end(headers.version ?? 3);
      return taken();
    },
  };
}

interface EntryReader {
  /** Of entries, those in broken lines included. */
  readonly count: number;
  /** Whether any entry had one. */
  readonly haveIds: boolean;
  /** Undefined for an object that is no entry. */
  read(value: JsonObject, line: ByteLine): StreamedEntry | undefined;
  /** A line that cannot be parsed. Where its beginning names a place in the tree, an entry keeps that place. */
  passBroken(line: ByteLine): StreamedEntry | undefined;
  end(version: number): void;
}

function createEntryReader(headers: HeaderReader, problems: SessionProblem[]): EntryReader {
  const links = createLinks();
  const checks = createEntryChecks(links.ids, problems);
  /** Problems only if the version turns out to be one that has ids. */
  const doubts: SessionProblem[] = [];
  const [idIn, parentIn] = [reusedIdBytes(), reusedIdBytes()];
  let count = 0;
  let haveIds = false;
  let previous: string | null = null;
  return {
    get count() {
      return count;
    },
    get haveIds() {
      return haveIds;
    },
    read(value, line) {
      const type = stringAt(value, "type");
      if (type === undefined) {
        problems.push(problemAt(line.number, "no-type", "the entry has no type"));
        return undefined;
      }
      const named = placeIn(value);
      haveIds ||= named.id !== undefined;
      // Version 1 has neither, and a file may be long.
      if (headers.version !== 1) doubts.push(...missingPlace(named, line.number));
      const isTaken = (other: string) => links.ids.find(idIn(other)) >= 0;
      const id = named.id ?? derivedEntryId(line.number, line.bytes, isTaken);
      const parent = typeof named.parentId === "string" ? parentIn(named.parentId) : named.parentId;
      links.add(idIn(id), parent, line.number);
      const parentId: string | null = named.parentId === undefined ? previous : named.parentId;
      const timestamp = timeOf(headers);
      previous = id;
      count += 1;
      const migrated = migrateEntry(value, (position) => idAt(links, position - 1));
      const { entry, missing } = decodeEntry(migrated, { id, parentId, timestamp });
      if (missing !== undefined)
        problems.push(problemAt(line.number, "missing-field", `the ${type} entry lacks ${missing}`));
      checks.check(value, entry, line.number);
      const complete = named.id !== undefined && named.parentId !== undefined;
      const version = headers.version ?? 3;
      const lineBytes = () => rewrittenLine({ bytes: line.bytes, entry, complete, version });
      return { kind: "entry", entry, line: line.number, lineBytes };
    },
    passBroken({ bytes, number, ended }) {
      const place = ended ? brokenPlace(bytes) : undefined;
      if (place === undefined) return undefined;
      const parent = place.parentIsNull ? null : { bytes, ...place.parentId };
      const id = links.ids.text(links.add({ bytes, ...place.id }, parent, number).id);
      const parentId = parent === null ? null : LENIENT.decode(bytes.subarray(parent.start, parent.end));
      previous = id;
      haveIds = true;
      count += 1;
      const entry = unreadableEntry({ id, parentId, timestamp: timeOf(headers) }, number);
      const lineBytes = () => new TextEncoder().encode(encodeEntry(entry));
      return { kind: "entry", entry, line: number, lineBytes };
    },
    end(version) {
      // One at a time: a damaged file may have more than fit into a call's arguments.
      if (version > 1) for (const doubt of doubts) problems.push(doubt);
      links.settle();
      checks.end();
      for (const problem of links.problems()) problems.push(problem);
      for (const problem of links.cycles()) problems.push(problem);
    },
  };
}

/** Stands in for a time that an entry does not have. */
function timeOf({ header }: HeaderReader): string {
  return header?.timestamp ?? new Date(0).toISOString();
}

function missingPlace({ id, parentId }: ReturnType<typeof placeIn>, line: number): readonly SessionProblem[] {
  if (id === undefined) return [problemAt(line, "no-id", "the entry has no id")];
  return parentId === undefined ? [problemAt(line, "no-parent", "the entry has no parentId")] : [];
}

/** The id and the parent that an object names; undefined where it names none. */
function placeIn(value: JsonObject): {
  readonly id: string | undefined;
  readonly parentId: string | null | undefined;
} {
  const parentId = value["parentId"];
  return {
    id: stringAt(value, "id"),
    parentId: parentId === null || typeof parentId === "string" ? parentId : undefined,
  };
}

/** The id of an entry by its number; right as long as no id was used twice, which version 1 cannot do. */
function idAt(links: Links, index: number): string | undefined {
  return index < links.ids.size ? links.ids.text(index) : undefined;
}

/** The object of a line; a problem for one that has none. */
function createLineParser(problems: SessionProblem[]): (line: ByteLine) => JsonObject | undefined {
  const strict = new TextDecoder("utf-8", { fatal: true });
  const textOf = (line: ByteLine): string => {
    try {
      return strict.decode(line.bytes);
    } catch {
      problems.push(problemAt(line.number, "bad-utf8", "the line has bytes that are not UTF-8"));
      return LENIENT.decode(line.bytes);
    }
  };
  return (line) => {
    const value = parseJson(textOf(line));
    if (isObject(value)) return value;
    problems.push(classifyLine({ bytes: line.bytes, value, line: line.number, ended: line.ended }));
    return undefined;
  };
}
