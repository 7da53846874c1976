// Exact replacement of one passage, deaf to the style of line endings: the file keeps its own, and its byte-order mark.

export type Replacement =
  | { readonly ok: true; readonly text: string; readonly line: number }
  /** `lines`: where the passage was found; empty if nowhere. */
  | { readonly ok: false; readonly lines: readonly number[] };

/**
 * Replaces the only occurrence of `oldText`. `\n` in it matches `\r\n` too; line breaks of `newText` become those of
 * the replaced passage, or of the file where the passage has none. What is outside the passage does not change.
 */
export function replaceOnce(text: string, oldText: string, newText: string): Replacement {
  const flat = flatten(text);
  const wanted = toLf(oldText);
  const found = occurrences(flat.text, wanted);
  const [start] = found;
  if (start === undefined || found.length > 1)
    return { ok: false, lines: found.map((at) => lineOf(flat.text, at)) };
  const from = flat.original(start);
  const to = flat.original(start + wanted.length);
  const ending = lineEndingOf(text.slice(from, to)) ?? lineEndingOf(text) ?? "\n";
  const inserted = toLf(newText).replaceAll("\n", ending);
  return { ok: true, text: text.slice(0, from) + inserted + text.slice(to), line: lineOf(flat.text, start) };
}

function toLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

interface Flat {
  readonly text: string;
  /** The offset in the original of an offset in `text`. */
  original(offset: number): number;
}

/** The text with `\n` for `\r\n`. */
function flatten(text: string): Flat {
  const removed: number[] = [];
  for (let at = text.indexOf("\r\n"); at >= 0; at = text.indexOf("\r\n", at + 2))
    removed.push(at - removed.length);
  if (removed.length === 0) return { text, original: (offset) => offset };
  return { text: toLf(text), original: (offset) => offset + countBelow(removed, offset) };
}

/** How many of the sorted numbers are below `limit`. */
function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where `wanted` begins, overlapping places too; at most 20. */
function occurrences(text: string, wanted: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0 && found.length < 20; at = text.indexOf(wanted, at + 1))
    found.push(at);
  return found;
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** The more frequent line ending; `undefined` if there is none. */
function lineEndingOf(text: string): "\n" | "\r\n" | undefined {
  const all = text.split("\n").length - 1;
  if (all === 0) return undefined;
  const crlf = text.split("\r\n").length - 1;
  return crlf * 2 > all ? "\r\n" : "\n";
}
