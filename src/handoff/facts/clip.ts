// Bounded copies of a session's text: folded to one line, cut where a reader can see it, and free of the string that
// they were cut from, so that a fact of a hundred characters never keeps a message of megabytes alive.

import { isLow } from "../../base/surrogates.ts";
import { cutAt } from "../../base/text.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A copy that shares no memory with the string it was cut from. */
function detach(text: string): string {
  return decoder.decode(encoder.encode(text));
}

/** White space folded to single spaces, at most `max` UTF-16 units, a cut marked with `…`. */
export function clip(text: string, max: number): string {
  // Folding costs time in proportion to the text, so look at no more of it than can matter.
  const near = text.length > max * 4 ? cutAt(text, max * 4) : text;
  const folded = near.replace(/\s\s+|[^\S ]/g, " ").trim();
  if (near.length < text.length || folded.length > max)
    return detach(`${cutAt(folded, Math.max(1, max - 1)).trimEnd()}…`);
  return text.length > 1024 ? detach(folded) : folded;
}

/** Beginning and end of a long text, folded: of a long paste, what was asked before it and after it stays. */
export function middleCut(text: string, max: number): string {
  if (text.length <= max) return clip(text, max);
  const tail = Math.floor(max / 3);
  const head = clip(cutAt(text, (max - tail) * 3), max - tail - 2).replace(/…$/, "");
  const end = text
    .slice(-tail * 3)
    .replace(/\s+/g, " ")
    .trim();
  if (end.length + head.length + 3 <= max) return clip(text, max);
  return detach(`${head.trimEnd()} … ${tailOf(end, tail).trimStart()}`);
}

/** The last `max` UTF-16 units, one less where that would split a surrogate pair. */
function tailOf(text: string, max: number): string {
  const tail = text.slice(-max);
  return isLow(tail.charCodeAt(0)) ? tail.slice(1) : tail;
}

/** A code span that survives backticks inside the text. */
export function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  if (longest === 0) return `\`${text}\``;
  const fence = "`".repeat(longest + 1);
  return `${fence} ${text} ${fence}`;
}

/** A quotation on one line. Fences inside are defused: a cut one would turn the rest of a document into code. */
export function quote(text: string): string {
  return `“${text.replace(/```+|~~~+/g, "''")}”`;
}
