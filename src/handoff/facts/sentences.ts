// Sentences of a message, as they were written: code blocks, quoted lines and pasted output are not sentences.

/** Lines that a terminal, a log or a diff wrote. */
const PASTED =
  /^(?:>|\$ |[➜❯%#] |\+\+\+ |--- |@@ |[+-]\s*\d+ |\s+at |\s*\d+ ?[|│]|\[?\d{4}-\d\d-\d\d[T ]|\d\d:\d\d:\d\d|(?:\w+)?(?:Error|Exception|Traceback)\b.*:|npm (?:ERR|error|warn)|error(?:\[\w+\])?:|warning:|\s*[{}[\]()<>|=]+\s*$)/;
/** The same, where a terminal's frame has moved them in. */
const PASTED_INDENTED = /^\s+(?:[+-] ?\d+ |\d+ [+-] |@@ |\$ |[➜❯] )/;
/** A line of them that was too wide, and goes on in the next. */
const CONTINUED = /^ {4,}\S/;
const BULLET = /^\s*(?:[-*+•]|\d{1,3}[.)]|[a-z]\))\s+/;

/** At most `limit` sentences of at most 400 UTF-16 units each. */
export function sentencesOf(text: string, limit: number): readonly string[] {
  const found: string[] = [];
  let fence: string | undefined;
  /** How long the pasted line above was; 0 for none. */
  let pasted = 0;
  for (const line of text.split("\n")) {
    if (line.length > 20_000) continue;
    const mark = /^[ \t]*(`{3,40}|~{3,40})/.exec(line)?.[1];
    if (mark !== undefined)
      fence = fence === undefined ? mark : line.trim().startsWith(fence) ? undefined : fence;
    if (mark !== undefined || fence !== undefined) continue;
    const isPasted: boolean =
      PASTED.test(line) ||
      PASTED_INDENTED.test(line) ||
      (pasted > 0 && (CONTINUED.test(line) || isPadded(line, pasted)));
    pasted = isPasted ? line.length : 0;
    if (isPasted) continue;
    for (const sentence of splitLine(line.replace(BULLET, "").trim())) {
      if (sentence.length < 3) continue;
      found.push(sentence.length > 400 ? sentence.slice(0, 400) : sentence);
      if (found.length >= limit) return found;
    }
  }
  return found;
}

/** A terminal's lines are as wide as it is. */
function isPadded(line: string, width: number): boolean {
  return line.length >= 60 && Math.abs(line.length - width) <= 2 && line.endsWith(" ");
}

/** Cuts after `.`, `!`, `?` before white space, and after the full stops of Chinese and Japanese. */
function splitLine(line: string): readonly string[] {
  if (line.length < 40) return [line];
  return line
    .split(/(?<=[.!?…][)"'”’*_`]{0,2})\s+(?=\S)|(?<=[。！？])\s*/u)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
