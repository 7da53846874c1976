// The byte scanner behind the index: finds `type`, `id` and `parentId` at the top level of a line without parsing the
// rest. It walks every string and bracket, so a torn line or a broken string is seen; numbers and literals are not looked at.
// The newline after a line, or the end of the array, ends every inner loop.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const SPACE = 0x20;
const TAB = 0x09;
const LETTER_N = 0x6e;

const ID = new TextEncoder().encode("id");
const TYPE = new TextEncoder().encode("type");
const PARENT_ID = new TextEncoder().encode("parentId");

const PLAIN = 0;

/** By byte, what stops the walk through a string: its end (1), an escape (2), or a control character (3); 0 for nothing. */
export const IN_STRING = table({ [QUOTE]: 1, [BACKSLASH]: 2 }, 3);

/** What stops the walk through a nested value. */
const IN_VALUE = table(
  { [QUOTE]: 1, [OPEN_BRACE]: 2, [OPEN_BRACKET]: 2, [CLOSE_BRACE]: 3, [CLOSE_BRACKET]: 3, [NEWLINE]: 4 },
  PLAIN,
);

const ESCAPES = new Set([...'"\\/bfnrtu'].map((char) => char.charCodeAt(0)));

function table(marks: Readonly<Record<number, number>>, control: number): Uint8Array {
  const classes = new Uint8Array(256);
  classes.fill(control, 0, 0x20);
  for (const [byte, mark] of Object.entries(marks)) classes[Number(byte)] = mark;
  return classes;
}

/**
 * Values of more levels are not read, the line's own object counted: no program writes them, and walking them can exhaust
 * a program's stack. `parseJson` has the same bound.
 */
export const MAX_DEPTH = 1_000;
/** No index: what `skipNested` gives for a value that is nested too deeply. */
const TOO_DEEP = -(2 ** 31);

/** Where a string's characters stand in a block, quotes left out; `start` is -1 for none. */
export interface StringRange {
  start: number;
  end: number;
}

/** What a scan found. One object is used for all lines: nothing is made in the loop. */
export interface LineScan {
  readonly type: StringRange;
  readonly id: StringRange;
  readonly parentId: StringRange;
  /** The member being looked at. */
  readonly key: StringRange;
  /** `parentId` stands there and is `null`. */
  parentIsNull: boolean;
  /** One of the three has an escape: its bytes are not its text. */
  escaped: boolean;
}

export function newLineScan(): LineScan {
  return {
    type: { start: -1, end: -1 },
    id: { start: -1, end: -1 },
    parentId: { start: -1, end: -1 },
    key: { start: -1, end: -1 },
    parentIsNull: false,
    escaped: false,
  };
}

/**
 * `whole`: an object, its members found. `torn`: it ends too early. `deep`: it is nested deeper than `MAX_DEPTH`. `other`:
 * look at it with a real parser.
 */
export type ScanOutcome = "whole" | "torn" | "deep" | "other";

/**
 * Scans the line from `at` to the newline at `end`. A member that stands there twice counts as `JSON.parse` counts it:
 * the last one wins.
 */
export function scanLine(bytes: Uint8Array, at: number, end: number, scan: LineScan): ScanOutcome {
  scan.type.start = scan.id.start = scan.parentId.start = -1;
  scan.parentIsNull = scan.escaped = false;
  if (bytes[at] !== OPEN_BRACE) return "other";
  at = skipSpaces(bytes, at + 1);
  if (bytes[at] === CLOSE_BRACE) return at + 1 === end ? "whole" : "other";
  for (;;) {
    if (bytes[at] !== QUOTE) return at >= end ? "torn" : "other";
    scan.key.start = at + 1;
    at = skipString(bytes, at + 1);
    if (at < 0) return ~at >= end ? "torn" : "other";
    scan.key.end = at;
    at = skipSpaces(bytes, at + 1);
    if (bytes[at] !== COLON) return at >= end ? "torn" : "other";
    at = skipMember(bytes, skipSpaces(bytes, at + 1), scan);
    if (at === TOO_DEEP) return "deep";
    if (at < 0) return ~at >= end ? "torn" : "other";
    at = skipSpaces(bytes, at);
    if (bytes[at] === CLOSE_BRACE) return at + 1 === end ? "whole" : "other";
    if (bytes[at] !== COMMA) return at >= end ? "torn" : "other";
    at = skipSpaces(bytes, at + 1);
  }
}

/** Index after a member's value, which begins at `at`; `~index` of where it broke. Notes the members that are wanted. */
function skipMember(bytes: Uint8Array, at: number, scan: LineScan): number {
  const first = bytes[at];
  const wanted = wantedMember(bytes, scan);
  if (wanted !== undefined) wanted.start = -1;
  if (first === QUOTE) {
    const end = skipString(bytes, at + 1);
    if (end < 0) return end;
    if (wanted !== undefined) {
      wanted.start = at + 1;
      wanted.end = end;
      if (hasEscape(bytes, at + 1, end)) scan.escaped = true;
    }
    return end + 1;
  }
  if (wanted === scan.parentId) scan.parentIsNull = first === LETTER_N;
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipNested(bytes, at + 1);
  const start = at;
  while (isScalar(bytes[at])) at += 1;
  return at === start ? ~at : at;
}

/** Which of the three a key names, by its bytes. */
function wantedMember(bytes: Uint8Array, scan: LineScan): StringRange | undefined {
  const { start, end } = scan.key;
  switch (end - start) {
    case 2:
      return spells(bytes, start, ID) ? scan.id : undefined;
    case 4:
      return spells(bytes, start, TYPE) ? scan.type : undefined;
    case 8:
      return spells(bytes, start, PARENT_ID) ? scan.parentId : undefined;
    default:
      return undefined;
  }
}

/** Whether the bytes at `at` are those of `word`. */
export function spells(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let index = 0; index < word.length; index++) if (bytes[at + index] !== word[index]) return false;
  return true;
}

function hasEscape(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return true;
  return false;
}

/** Index of the quote that ends the string whose characters begin at `at`; `~index` of where it broke. */
export function skipString(bytes: Uint8Array, at: number): number {
  for (;;) {
    while (IN_STRING[bytes[at] ?? NEWLINE] === PLAIN) at += 1;
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte !== BACKSLASH) return ~at;
    if (!ESCAPES.has(bytes[at + 1] ?? NEWLINE)) return ~(at + 1);
    at += 2;
  }
}

/** Index after the object or array whose inside begins at `at`; `~index` of where it broke. */
export function skipNested(bytes: Uint8Array, at: number): number {
  for (let depth = 1; ; ) {
    let kind = IN_VALUE[bytes[at] ?? NEWLINE];
    while (kind === PLAIN) {
      at += 1;
      kind = IN_VALUE[bytes[at] ?? NEWLINE];
    }
    if (kind === 1) {
      at = skipString(bytes, at + 1);
      if (at < 0) return at;
    } else if (kind === 2) {
      depth += 1;
      // The object around is a level too.
      if (depth >= MAX_DEPTH) return TOO_DEEP;
    } else if (kind === 3) {
      depth -= 1;
      if (depth === 0) return at + 1;
    } else {
      return ~at;
    }
    at += 1;
  }
}

function skipSpaces(bytes: Uint8Array, at: number): number {
  while (bytes[at] === SPACE || bytes[at] === TAB) at += 1;
  return at;
}

/** Characters of numbers and of `true`, `false`, `null`. */
function isScalar(byte: number | undefined): boolean {
  return (
    byte !== undefined &&
    ((byte >= 0x30 && byte <= 0x39) ||
      (byte >= 0x61 && byte <= 0x7a) ||
      byte === 0x2d ||
      byte === 0x2e ||
      byte === 0x2b ||
      byte === 0x45)
  );
}
