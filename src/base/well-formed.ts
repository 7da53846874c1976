// Text without halves of surrogate pairs: JSON keeps them as escapes that other programs refuse, and UTF-8 has none.

import { isObject, type JsonObject } from "./json.ts";

/** The object with every half of a surrogate pair, in keys and values at any depth, as U+FFFD. */
export function wellFormedObject(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key.toWellFormed(), wellFormedValue(value)]),
  );
}

function wellFormedValue(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormedValue);
  return isObject(value) ? wellFormedObject(value) : value;
}

const ESCAPED = /\\\\|\\ud[89a-f][0-9a-f]{2}|[\u2028\u2029]/g;

/**
 * A value that JSON has as JSON for every reader: U+2028 and U+2029, which some take for line breaks, are escaped, and
 * halves of surrogate pairs, which some refuse, are U+FFFD. Without `indent`, one line.
 */
export function jsonText(value: unknown, indent?: number): string {
  // JSON.stringify writes whole pairs as they are: what it escapes is a half.
  return JSON.stringify(value, null, indent).replace(ESCAPED, (found) => {
    if (found === "\\\\") return found;
    return found.length === 1 ? `\\u${found.charCodeAt(0).toString(16)}` : "\\ufffd";
  });
}
