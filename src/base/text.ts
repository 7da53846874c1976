// Small functions over text for people.

import { isHigh } from "./surrogates.ts";

/**
 * Makes control characters visible: `ESC` becomes `^[`, C1 controls and bidirectional overrides become `\u{9b}`. Line
 * feed and tab stay. For terminals only: a pipe gets the text as it is.
 */
export function visibleControls(text: string): string {
  // biome's rule against control characters is off: they are what this is about.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (char) => {
    const code = char.charCodeAt(0);
    if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
    if (code === 0x7f) return "^?";
    return `\\u{${code.toString(16)}}`;
  });
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * A name or a pattern as one piece of a line, in a pipe too: control characters, line breaks among them, become the escapes
 * that they have in JavaScript, which mean the same in a regular expression.
 */
export function escapedControls(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (char) => {
    const code = char.charCodeAt(0).toString(16);
    return SHORT_ESCAPES[char] ?? (code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, "0")}`);
  });
}

/** At most `max` UTF-16 units on one line: white space folded, a cut marked with `…`, no surrogate pair split. */
export function oneLine(text: string, max: number): string {
  const folded = text.replace(/\s+/g, " ").trim();
  return folded.length <= max ? folded : `${cutAt(folded, max - 1).trimEnd()}…`;
}

/** The first `max` UTF-16 units, one less where that would split a surrogate pair. */
export function cutAt(text: string, max: number): string {
  if (text.length <= max) return text;
  return text.slice(0, isHigh(text.charCodeAt(max - 1)) ? max - 1 : max);
}

/**
 * The text without the run of this one character at its end. A regular expression for that looks at every other run of it
 * once for each character in it.
 */
export function withoutLast(text: string, char: string): string {
  let end = text.length;
  while (text[end - 1] === char) end -= 1;
  return text.slice(0, end);
}

/** `1 file`, `2 files`. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}
