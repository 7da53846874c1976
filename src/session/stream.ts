// A session of our own format read line by line, every line parsed and checked, nothing kept but the ids. What it finds is
// what opening the file finds, and more: opening looks closely only at what it decodes.

import { isObject, type JsonObject, stringAt } from "../base/json.ts";
import { type ByteLine, byteLines } from "../base/lines.ts";
import { decodeEntry } from "./codec.ts";
import type { Entry, SessionHeader, SessionProblem } from "./entry.ts";
import { createHeaderReader } from "./header-reader.ts";
import { idBytes } from "./id-table.ts";
import { derivedEntryId } from "./ids.ts";
import { classifyLine } from "./line-problems.ts";
import { createLinks, type Links, type ParentName } from "./links.ts";
import { migrateEntry } from "./migrate.ts";
import { problemAt } from "./problems.ts";
import { rewrittenLine } from "./raw-line.ts";

/** An entry and its line. */
export interface StreamedEntry {
  readonly kind: "entry";
  readonly entry: Entry;
  readonly line: number;
  /** The line for a file of version 3, without newline: the bytes as they were read wherever that is sound. */
  lineBytes(): Uint8Array;
}

/**
 * `header` comes once: before the first entry if the file has one there, else when its line is read; one that was made
 * up comes last. `problem` comes when it is found, links at the end.
 */
export type StreamedItem =
  | { readonly kind: "header"; readonly header: SessionHeader; readonly version: number }
  | StreamedEntry
  | { readonly kind: "problem"; readonly problem: SessionProblem };

/** Reads a stream of versions 1 to 3. Throws only what `chunks` throws. */
export async function* streamSession(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedItem, void> {
  const reader = createReader();
  for await (const line of byteLines(chunks)) {
    if (line.bytes.length === 0) continue;
    yield* reader.read(line);
  }
  yield* reader.end();
}

interface Reader {
  read(line: ByteLine): readonly StreamedItem[];
  end(): readonly StreamedItem[];
}

function createReader(): Reader {
  const problems: SessionProblem[] = [];
  const headers = createHeaderReader(problems);
  const links = createLinks();
  const lines = createLineParser(problems);
  const doubts: SessionProblem[] = [];
  let told = false;
  let entries = 0;
  let bad = false;
  let withId = 0;
  let previous: string | null = null;
  let first: Uint8Array | undefined;

  const taken = (items: readonly StreamedItem[]): readonly StreamedItem[] => {
    const found = problems.splice(0).map((problem) => ({ kind: "problem" as const, problem }));
    bad ||= found.length > 0;
    if (told || headers.header === undefined) return [...found, ...items];
    told = true;
    return [...found, { kind: "header", header: headers.header, version: headers.version ?? 3 }, ...items];
  };

  const entryItem = (value: JsonObject, line: ByteLine): StreamedEntry | undefined => {
    const type = stringAt(value, "type");
    if (type === undefined) {
      problems.push(problemAt(line.number, "no-type", "the entry has no type"));
      return undefined;
    }
    const id = stringAt(value, "id");
    const named = value["parentId"];
    const parent = named === null || typeof named === "string" ? named : undefined;
    if (id !== undefined) withId += 1;
    if (id === undefined) doubts.push(problemAt(line.number, "no-id", "the entry has no id"));
    else if (parent === undefined)
      doubts.push(problemAt(line.number, "no-parent", "the entry has no parentId"));
    const bytes = id === undefined ? derivedIdBytes(line, links) : idBytes(id);
    links.add(bytes, parentName(parent), line.number);
    const place = {
      id: new TextDecoder().decode(bytes.bytes.subarray(bytes.start, bytes.end)),
      parentId: parent === undefined ? previous : parent,
      timestamp: headers.header?.timestamp ?? new Date(0).toISOString(),
    };
    previous = place.id;
    entries += 1;
    checkTimestamp(value, line.number, problems);
    const migrated = migrateEntry(value, (position) => idAt(links, position - 1));
    const { entry, missing } = decodeEntry(migrated, place);
    if (missing !== undefined)
      problems.push(problemAt(line.number, "missing-field", `the ${type} entry lacks ${missing}`));
    const complete = id !== undefined && parent !== undefined;
    const version = headers.version ?? 3;
    return {
      kind: "entry",
      entry,
      line: line.number,
      lineBytes: () => rewrittenLine({ bytes: line.bytes, entry, complete, version }),
    };
  };

  return {
    read(line) {
      first ??= line.bytes.slice();
      const value = lines.parse(line);
      if (value === undefined) return taken([]);
      const isFirst = entries === 0 && !bad && problems.length === 0;
      if (headers.take({ value, bytes: line.bytes, line: line.number, isFirst })) return taken([]);
      const item = entryItem(value, line);
      return taken(item === undefined ? [] : [item]);
    },
    end() {
      if (headers.header === undefined && entries === 0) {
        problems.push(problemAt(0, "empty-file", "no line of the file can be used"));
        return taken([]);
      }
      const made = headers.header === undefined;
      const header = headers.finish(first ?? new Uint8Array(0));
      const version = headers.version ?? (withId === 0 ? 1 : 3);
      if (version > 1) problems.push(...doubts);
      links.settle();
      problems.push(...links.problems());
      return made ? [...taken([]), { kind: "header", header, version }] : taken([]);
    },
  };
}

function parentName(parent: string | null | undefined): ParentName {
  return typeof parent === "string" ? idBytes(parent) : parent;
}

function derivedIdBytes(line: ByteLine, links: Links) {
  return idBytes(derivedEntryId(line.number, line.bytes, (id) => links.ids.find(idBytes(id)) >= 0));
}

/** The id of an entry by its number; right as long as no id was used twice, which version 1 cannot do. */
function idAt(links: Links, index: number): string | undefined {
  return index < links.ids.size ? links.ids.text(index) : undefined;
}

function checkTimestamp(value: JsonObject, line: number, problems: SessionProblem[]): void {
  const text = stringAt(value, "timestamp");
  if (text === undefined) problems.push(problemAt(line, "no-timestamp", "the entry has no timestamp"));
  else if (Number.isNaN(Date.parse(text)))
    problems.push(problemAt(line, "no-timestamp", `the entry's timestamp "${text.slice(0, 40)}" is no time`));
}

/** The object of a line; a problem for one that has none. */
function createLineParser(problems: SessionProblem[]): {
  parse(line: ByteLine): JsonObject | undefined;
} {
  const strict = new TextDecoder("utf-8", { fatal: true });
  const lenient = new TextDecoder();
  const textOf = (line: ByteLine): string => {
    try {
      return strict.decode(line.bytes);
    } catch {
      problems.push(problemAt(line.number, "bad-utf8", "the line has bytes that are not UTF-8"));
      return lenient.decode(line.bytes);
    }
  };
  const parsed = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  };
  return {
    parse(line) {
      const value = parsed(textOf(line));
      if (isObject(value)) return value;
      problems.push(classifyLine({ bytes: line.bytes, value, line: line.number, ended: line.ended }));
      return undefined;
    },
  };
}
