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

/** A reader for one JSON text. */
export function createJsonStrings(): JsonStrings {
  const stack: Container[] = [];
  let expects: Expectation = "value";
  let open: OpenString | undefined;
  let inScalar = false;
  let broken = false;

  const afterValue = (): void => {
    expects = stack.length === 0 ? "nothing" : "commaOrEnd";
  };
  const beginString = (isKey: boolean): void => {
    open = { path: isKey ? undefined : stack.map(({ key }) => key), begins: true, text: "", escape: "" };
  };
  const beginContainer = (kind: Container["kind"]): void => {
    stack.push({ kind, key: kind === "array" ? 0 : "" });
    expects = kind === "array" ? "valueOrEnd" : "keyOrEnd";
  };
  const endContainer = (kind: Container["kind"]): void => {
    const mayEnd = expects === "commaOrEnd" || expects === (kind === "array" ? "valueOrEnd" : "keyOrEnd");
    if (!mayEnd || stack.pop()?.kind !== kind) broken = true;
    else afterValue();
  };
  const comma = (): void => {
    const top = stack.at(-1);
    if (expects !== "commaOrEnd" || top === undefined) broken = true;
    else if (top.kind === "object") expects = "key";
    else {
      top.key = Number(top.key) + 1;
      expects = "value";
    }
  };
  /** One unit outside a string. */
  const structure = (unit: string): void => {
    if (inScalar) {
      if (SCALAR.test(unit)) return;
      inScalar = false;
      afterValue();
    }
    if (WHITE_SPACE.includes(unit)) return;
    const takesValue = expects === "value" || expects === "valueOrEnd";
    const takesKey = expects === "key" || expects === "keyOrEnd";
    if (unit === '"' && (takesValue || takesKey)) beginString(takesKey);
    else if (unit === "{" && takesValue) beginContainer("object");
    else if (unit === "[" && takesValue) beginContainer("array");
    else if (unit === "}") endContainer("object");
    else if (unit === "]") endContainer("array");
    else if (unit === ",") comma();
    else if (unit === ":" && expects === "colon") expects = "value";
    else if (takesValue && SCALAR.test(unit)) inScalar = true;
    else broken = true;
  };
  /** The piece of the open string that this chunk gave; keys are kept until they are whole. */
  const takePiece = (string: OpenString, ends: boolean): StringPiece | undefined => {
    const { path, text, begins } = string;
    if (path === undefined) {
      const top = stack.at(-1);
      if (ends && top !== undefined) {
        top.key = text;
        expects = "colon";
      }
      return undefined;
    }
    if (ends) afterValue();
    string.text = "";
    string.begins = false;
    return text === "" && !begins && !ends ? undefined : { path, text, begins, ends };
  };

  return {
    get state() {
      if (broken) return "broken";
      return expects === "nothing" && open === undefined ? "complete" : "open";
    },
    push(chunk) {
      const pieces: StringPiece[] = [];
      const give = (string: OpenString, ends: boolean): void => {
        const piece = takePiece(string, ends);
        if (piece !== undefined) pieces.push(piece);
      };
      for (let index = 0; index < chunk.length && !broken; ) {
        if (open === undefined) {
          structure(chunk.charAt(index));
          index += 1;
          continue;
        }
        const read = readString(open, chunk, index);
        index = read.next;
        if (read.outcome === "broken") broken = true;
        if (read.outcome !== "ended") continue;
        const ended = open;
        open = undefined;
        give(ended, true);
      }
      if (open !== undefined && !broken) give(open, false);
      return pieces;
    },
  };
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
