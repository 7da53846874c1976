// JSON that may end too early or break in the middle: gives what can be read up to there. Used on the first bytes of a
// file, and on documents that were cut off. Linear in the text; nesting beyond a fixed depth ends the reading.

const MAX_DEPTH = 512;

export interface PartialJson {
  readonly value: unknown;
  /** Offset of the first character that was not read. */
  readonly end: number;
  /** False if the text broke or ended inside the value; `value` holds what was there. */
  readonly complete: boolean;
}

/** Reads one JSON value at `start` (white space before it is skipped). */
export function parsePartialJson(text: string, start = 0): PartialJson {
  const reader: Reader = { text, at: start, broken: false };
  skipSpace(reader);
  const value = readValue(reader, 0);
  return { value, end: reader.at, complete: !reader.broken };
}

interface Reader {
  readonly text: string;
  at: number;
  broken: boolean;
}

function readValue(reader: Reader, depth: number): unknown {
  const char = reader.text[reader.at];
  if (depth > MAX_DEPTH) return fail(reader);
  if (char === "{") return readObject(reader, depth);
  if (char === "[") return readArray(reader, depth);
  if (char === '"') return readString(reader);
  return readLiteral(reader);
}

function readObject(reader: Reader, depth: number): Record<string, unknown> {
  const members: [string, unknown][] = [];
  reader.at += 1;
  skipSpace(reader);
  if (reader.text[reader.at] === "}") {
    reader.at += 1;
    return {};
  }
  while (!reader.broken) {
    skipSpace(reader);
    if (reader.text[reader.at] !== '"') break;
    const key = readString(reader);
    skipSpace(reader);
    if (reader.broken || reader.text[reader.at] !== ":") break;
    reader.at += 1;
    skipSpace(reader);
    const value = readValue(reader, depth + 1);
    if (value !== undefined && key !== undefined) members.push([key, value]);
    if (reader.broken || closes(reader, "}")) return Object.fromEntries(members);
  }
  reader.broken = true;
  return Object.fromEntries(members);
}

function readArray(reader: Reader, depth: number): unknown[] {
  const elements: unknown[] = [];
  reader.at += 1;
  skipSpace(reader);
  if (reader.text[reader.at] === "]") {
    reader.at += 1;
    return elements;
  }
  while (!reader.broken) {
    skipSpace(reader);
    const value = readValue(reader, depth + 1);
    if (value !== undefined) elements.push(value);
    if (reader.broken || closes(reader, "]")) break;
  }
  return elements;
}

/** After a member or element: true at the closing bracket, false after a comma; anything else breaks the reading. */
function closes(reader: Reader, bracket: string): boolean {
  skipSpace(reader);
  const char = reader.text[reader.at];
  if (char === bracket || char === ",") {
    reader.at += 1;
    return char === bracket;
  }
  reader.broken = true;
  return false;
}

function readString(reader: Reader): string | undefined {
  const start = reader.at;
  let at = start + 1;
  for (;;) {
    const quote = reader.text.indexOf('"', at);
    if (quote < 0) return cutString(reader, start);
    if (!escaped(reader.text, quote, start)) {
      reader.at = quote + 1;
      const value = parsed(reader, reader.text.slice(start, quote + 1));
      return typeof value === "string" ? value : undefined;
    }
    at = quote + 1;
  }
}

function escaped(text: string, quote: number, start: number): boolean {
  let slashes = 0;
  for (let at = quote - 1; at > start && text[at] === "\\"; at--) slashes += 1;
  return slashes % 2 === 1;
}

/** A string that the end of the text cut: what is there of it, a half escape left out. */
function cutString(reader: Reader, start: number): string | undefined {
  const body = reader.text.slice(start + 1).replace(/\\(u[0-9a-fA-F]{0,3})?$/, "");
  reader.at = reader.text.length;
  reader.broken = true;
  const value = tryParse(`"${body}"`);
  return typeof value === "string" ? value : undefined;
}

function readLiteral(reader: Reader): unknown {
  const pattern = /[^\s,\]}]+/y;
  pattern.lastIndex = reader.at;
  const word = pattern.exec(reader.text)?.[0] ?? "";
  const atEnd = reader.at + word.length >= reader.text.length;
  if (word === "" || (atEnd && tryParse(word) === undefined)) return fail(reader);
  reader.at += word.length;
  return parsed(reader, word);
}

function parsed(reader: Reader, text: string): unknown {
  const value = tryParse(text);
  if (value === undefined) reader.broken = true;
  return value;
}

function fail(reader: Reader): undefined {
  reader.broken = true;
  return undefined;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function skipSpace(reader: Reader): void {
  for (; reader.at < reader.text.length; reader.at++) {
    const code = reader.text.charCodeAt(reader.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
  }
}
