// Which line a rewritten file has for an entry: the bytes that were read wherever they are sound as they stand.

import { Buffer } from "node:buffer";
import { type EntryPlace, encodeEntry } from "./codec.ts";
import type { CustomEntry, Entry } from "./entry.ts";
import { scanHead } from "./line-head.ts";
import { newLineScan } from "./scan.ts";

export interface ReadLine {
  readonly bytes: Uint8Array;
  /** What was decoded from it. */
  readonly entry: Entry;
  /** Whether the line has an id and a parent. */
  readonly complete: boolean;
  /** The version of the file that it stands in. */
  readonly version: number;
}

/** The line for a file of version 3, without newline. What was not decoded keeps its bytes in every case. */
export function rewrittenLine({ bytes, entry, complete, version }: ReadLine): Uint8Array {
  if (complete && (version >= 3 || entry.type === "unknown")) return bytes;
  return entry.type === "unknown"
    ? completedLine(bytes, entry)
    : new TextEncoder().encode(encodeEntry(entry));
}

/** The line of an entry with another parent: but for that, its bytes, where it begins as all writers begin a line. */
export function relinkedLine(bytes: Uint8Array, entry: Entry, parentId: string | null): Uint8Array {
  const scan = newLineScan();
  if (!scanHead(bytes, 0, bytes.length, scan))
    return new TextEncoder().encode(encodeEntry({ ...entry, parentId }));
  const { start: first, end: last } = scan.parentId;
  const [start, end] = scan.parentIsNull ? [last - "null".length, last] : [first - 1, last + 1];
  return Buffer.concat([
    bytes.subarray(0, start),
    Buffer.from(JSON.stringify(parentId)),
    bytes.subarray(end),
  ]);
}

/**
 * What stands for a line that cannot be parsed, but names its place in the tree: whatever hangs on it, or is kept from it
 * on, finds it there, also in a file that is written anew. `line` is its number where it was read.
 */
export function unreadableEntry(place: EntryPlace, line: number): CustomEntry {
  return { type: "custom", ...place, customType: "unreadable", data: { line } };
}

/** The object's bytes with the entry's id and parent added at its end, where they win over others. */
function completedLine(bytes: Uint8Array, entry: Entry): Uint8Array {
  const text = new TextDecoder().decode(bytes).trimEnd();
  const added = `"id":${JSON.stringify(entry.id)},"parentId":${JSON.stringify(entry.parentId)}`;
  const inside = text.slice(1, -1);
  return new TextEncoder().encode(inside.trim() === "" ? `{${added}}` : `{${inside},${added}}`);
}
