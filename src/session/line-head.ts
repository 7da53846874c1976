// The beginning of a line as every writer of our format makes it: type, id and parentId stand there, in this order and
// without spaces. Where they do, a line is indexed by some sixty bytes of it, however long it is.

import { IN_STRING, type LineScan, newLineScan, type StringRange, scanLine, spells } from "./scan.ts";

const ENCODER = new TextEncoder();
const TYPE = ENCODER.encode('{"type":"');
const ID = ENCODER.encode('","id":"');
const PARENT = ENCODER.encode('","parentId":');
const NULL = ENCODER.encode("null");

const QUOTE = 0x22;
const COMMA = 0x2c;
const CLOSE_BRACE = 0x7d;

/**
 * Finds the three in the line from `at` to the newline at `end`. False where they do not stand at its beginning in plain
 * characters, or where the line does not end as an object does: `scanLine` has to look. What is between is not looked at:
 * a line that is broken there is found when it is parsed, and one that names a member again is read by its first name.
 */
export function scanHead(bytes: Uint8Array, at: number, end: number, scan: LineScan): boolean {
  if (bytes[end - 1] !== CLOSE_BRACE || !spells(bytes, at, TYPE)) return false;
  const type = at + TYPE.length;
  const typeEnd = plainEnd(bytes, type);
  if (!spells(bytes, typeEnd, ID)) return false;
  const id = typeEnd + ID.length;
  const idEnd = plainEnd(bytes, id);
  if (!spells(bytes, idEnd, PARENT)) return false;
  const parent = idEnd + PARENT.length;
  const parentIsNull = spells(bytes, parent, NULL);
  if (!parentIsNull && bytes[parent] !== QUOTE) return false;
  const parentEnd = parentIsNull ? parent + NULL.length : plainEnd(bytes, parent + 1);
  if (!parentIsNull && bytes[parentEnd] !== QUOTE) return false;
  const after = parentIsNull ? parentEnd : parentEnd + 1;
  if (bytes[after] !== COMMA && after !== end - 1) return false;
  scan.type.start = type;
  scan.type.end = typeEnd;
  scan.id.start = id;
  scan.id.end = idEnd;
  scan.parentId.start = parentIsNull ? -1 : parent + 1;
  scan.parentId.end = parentEnd;
  scan.parentIsNull = parentIsNull;
  scan.escaped = false;
  return true;
}

/** Index of the first byte that is no plain character of a string: its quote, if the string is plain. */
function plainEnd(bytes: Uint8Array, at: number): number {
  while (IN_STRING[bytes[at] ?? 0] === 0) at += 1;
  return at;
}

/** `session` and `title` are the words of lines that are no entries; both are rare, and parsed. */
export function isHeaderOrTitle(bytes: Uint8Array, type: StringRange): boolean {
  const length = type.end - type.start;
  const first = bytes[type.start];
  return (length === 7 && first === 0x73) || (length === 5 && first === 0x74);
}

/**
 * The id and the parent that a line without newline names although the whole of it cannot be parsed: it keeps its place in
 * the tree, so that what hangs on it finds its way. Undefined for a line that names none.
 */
export function brokenPlace(bytes: Uint8Array): LineScan | undefined {
  const scan = newLineScan();
  const end = bytes.length;
  if (!scanHead(bytes, 0, end, scan) && scanLine(bytes, 0, end, scan) !== "whole") return undefined;
  const named = scan.type.start >= 0 && scan.id.start >= 0 && (scan.parentIsNull || scan.parentId.start >= 0);
  return named && !scan.escaped && !isHeaderOrTitle(bytes, scan.type) ? scan : undefined;
}
