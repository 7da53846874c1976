// One member of an object found by its bytes, without parsing the others: enough to tell an answer of the model from the
// messages around it.

import { type StringRange, skipNested, skipString } from "./scan.ts";

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const NEWLINE = 0x0a;

/**
 * Where the value of the first member of that name begins, in the object whose brace is at `at`; -1 if there is none.
 */
export function findMember(bytes: Uint8Array, at: number, name: Uint8Array): number {
  if (bytes[at] !== OPEN_BRACE) return -1;
  at += 1;
  for (;;) {
    while (bytes[at] !== QUOTE) {
      if (bytes[at] === CLOSE_BRACE || bytes[at] === NEWLINE || at >= bytes.length) return -1;
      at += 1;
    }
    const start = at + 1;
    const end = skipString(bytes, start);
    if (end < 0) return -1;
    at = valueStart(bytes, end + 1);
    if (isSame(bytes, { start, end }, name)) return at;
    at = skipValue(bytes, at);
    if (at < 0) return -1;
  }
}

function isSame(bytes: Uint8Array, { start, end }: StringRange, name: Uint8Array): boolean {
  if (end - start !== name.length) return false;
  for (let index = 0; index < name.length; index++) if (bytes[start + index] !== name[index]) return false;
  return true;
}

/** After the colon and the white space around it. */
function valueStart(bytes: Uint8Array, at: number): number {
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x3a) at += 1;
  return at;
}

function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === QUOTE) {
    const end = skipString(bytes, at + 1);
    return end < 0 ? -1 : end + 1;
  }
  return first === OPEN_BRACE || first === OPEN_BRACKET ? Math.max(-1, skipNested(bytes, at + 1)) : at;
}

/** Whether the value at `at` is that string, written without escapes; false for -1. */
export function isString(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  if (at < 0 || bytes[at] !== QUOTE) return false;
  const start = at + 1;
  const end = start + text.length;
  return bytes[end] === QUOTE && isSame(bytes, { start, end }, text);
}
