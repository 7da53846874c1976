// The string values of a JSON text that arrives in pieces, decoded as they come: escapes resolved, keys in any order,
// nested values too. What is given depends on the text alone, not on how it was cut.

/** Where a value stands: keys and indices from the root. */
export type JsonPath = readonly (string | number)[];

/** Some units of one string value. `ends`: its closing quote was read. */
export interface StringPiece {
  readonly path: JsonPath;
  readonly text: string;
  readonly begins: boolean;
  readonly ends: boolean;
}

export interface JsonStrings {
  /** Reads more of the text and gives the pieces in it, in order. Nothing more comes once the text is broken. */
  push(chunk: string): readonly StringPiece[];
  /** `broken`: the text is not JSON; what was given before that stands. */
  readonly state: "open" | "complete" | "broken";
}

type Expectation = "value" | "valueOrEnd" | "key" | "keyOrEnd" | "colon" | "commaOrEnd" | "nothing";

interface Container {
  readonly kind: "object" | "array";
  /** The key or index of the value being read. */
  key: string | number;
}

/** The string being read: a key of an object, or a value. `escape` is an escape sequence that is not whole yet. */
interface OpenString {
  readonly path: JsonPath | undefined;
  begins: boolean;
  text: string;
  escape: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const WHITE_SPACE = " \t\n\r";
const SCALAR = /[-+.0-9A-Za-z]/;

/** What is known of a text that is being read. */
interface ReaderState {
  readonly stack: Container[];
  expects: Expectation;
  open: OpenString | undefined;
  inScalar: boolean;
  broken: boolean;
}

/** A reader for one JSON text. */
export function createJsonStrings(): JsonStrings {
  const reader: ReaderState = {
    stack: [],
    expects: "value",
    open: undefined,
    inScalar: false,
    broken: false,
  };
  return {
    push: (chunk) => readChunk(reader, chunk),
    get state() {
      if (reader.broken) return "broken";
      return reader.expects === "nothing" && reader.open === undefined ? "complete" : "open";
    },
  };
}

function readChunk(reader: ReaderState, chunk: string): readonly StringPiece[] {
  const pieces: StringPiece[] = [];
  const give = (piece: StringPiece | undefined): void => {
    if (piece !== undefined) pieces.push(piece);
  };
  for (let index = 0; index < chunk.length && !reader.broken; ) {
    const { open } = reader;
    if (open === undefined) {
      readStructure(reader, chunk.charAt(index));
      index += 1;
      continue;
    }
    const { next, outcome } = readString(open, chunk, index);
    index = next;
    if (outcome === "broken") reader.broken = true;
    if (outcome !== "ended") continue;
    reader.open = undefined;
    give(takePiece(reader, open, true));
  }
  if (reader.open !== undefined && !reader.broken) give(takePiece(reader, reader.open, false));
  return pieces;
}

/** One unit outside a string. */
function readStructure(reader: ReaderState, unit: string): void {
  if (reader.inScalar) {
    if (SCALAR.test(unit)) return;
    reader.inScalar = false;
    endValue(reader);
  }
  if (WHITE_SPACE.includes(unit)) return;
  const { expects } = reader;
  const takesValue = expects === "value" || expects === "valueOrEnd";
  const takesKey = expects === "key" || expects === "keyOrEnd";
  if (unit === '"' && (takesValue || takesKey)) beginString(reader, takesKey);
  else if (unit === "{" && takesValue) beginContainer(reader, "object");
  else if (unit === "[" && takesValue) beginContainer(reader, "array");
  else if (unit === "}") endContainer(reader, "object");
  else if (unit === "]") endContainer(reader, "array");
  else if (unit === ",") readComma(reader);
  else if (unit === ":" && expects === "colon") reader.expects = "value";
  else if (takesValue && SCALAR.test(unit)) reader.inScalar = true;
  else reader.broken = true;
}

function endValue(reader: ReaderState): void {
  reader.expects = reader.stack.length === 0 ? "nothing" : "commaOrEnd";
}

function beginString(reader: ReaderState, isKey: boolean): void {
  const path = isKey ? undefined : reader.stack.map(({ key }) => key);
  reader.open = { path, begins: true, text: "", escape: "" };
}

function beginContainer(reader: ReaderState, kind: Container["kind"]): void {
  reader.stack.push({ kind, key: kind === "array" ? 0 : "" });
  reader.expects = kind === "array" ? "valueOrEnd" : "keyOrEnd";
}

function endContainer(reader: ReaderState, kind: Container["kind"]): void {
  const whenEmpty = kind === "array" ? "valueOrEnd" : "keyOrEnd";
  const mayEnd = reader.expects === "commaOrEnd" || reader.expects === whenEmpty;
  if (!mayEnd || reader.stack.pop()?.kind !== kind) reader.broken = true;
  else endValue(reader);
}

function readComma(reader: ReaderState): void {
  const top = reader.stack.at(-1);
  if (reader.expects !== "commaOrEnd" || top === undefined) reader.broken = true;
  else if (top.kind === "object") reader.expects = "key";
  else {
    top.key = Number(top.key) + 1;
    reader.expects = "value";
  }
}

/** What this chunk gave of a value; a key is kept until it is whole. */
function takePiece(reader: ReaderState, string: OpenString, ends: boolean): StringPiece | undefined {
  const { path, text, begins } = string;
  if (path === undefined) {
    const top = reader.stack.at(-1);
    if (ends && top !== undefined) {
      top.key = text;
      reader.expects = "colon";
    }
    return undefined;
  }
  if (ends) endValue(reader);
  string.text = "";
  string.begins = false;
  return text === "" && !begins && !ends ? undefined : { path, text, begins, ends };
}

interface StringRead {
  readonly next: number;
  readonly outcome: "open" | "ended" | "broken";
}

/** Reads units of `chunk` into the string, until it ends, an escape was read, or the chunk is used up. */
function readString(string: OpenString, chunk: string, from: number): StringRead {
  if (string.escape !== "") return readEscape(string, chunk.charAt(from), from + 1);
  let index = from;
  while (index < chunk.length && chunk[index] !== '"' && chunk[index] !== "\\") index += 1;
  string.text += chunk.slice(from, index);
  if (index === chunk.length) return { next: index, outcome: "open" };
  if (chunk[index] === '"') return { next: index + 1, outcome: "ended" };
  string.escape = "\\";
  return { next: index + 1, outcome: "open" };
}

function readEscape(string: OpenString, unit: string, next: number): StringRead {
  const sequence = string.escape + unit;
  if (sequence.startsWith("\\u")) {
    if (sequence.length > 2 && !/[0-9a-f]/i.test(unit)) return { next, outcome: "broken" };
    string.escape = sequence.length === 6 ? "" : sequence;
    if (sequence.length === 6) string.text += String.fromCharCode(Number.parseInt(sequence.slice(2), 16));
    return { next, outcome: "open" };
  }
  const decoded = ESCAPES[unit];
  if (decoded === undefined) return { next, outcome: "broken" };
  string.escape = "";
  string.text += decoded;
  return { next, outcome: "open" };
}

/** The string values of a decoded JSON value, with their paths, in the order of its text. */
export function* stringValuesOf(value: unknown, path: JsonPath = []): Generator<[JsonPath, string], void> {
  if (typeof value === "string") yield [path, value];
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* stringValuesOf(item, [...path, index]);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) yield* stringValuesOf(member, [...path, key]);
  }
}
