// Lines and columns of a text, from 1; columns in UTF-16 units. A line ends at `\n`.

import type { Position } from "./rule.ts";

export const TEXT_START: Position = { line: 1, column: 1 };

/** The position after `text[0..end)`, which itself begins at `start`. */
export function advance(start: Position, text: string, end = text.length): Position {
  let { line } = start;
  let lineStart = -1;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) {
    line += 1;
    lineStart = at;
  }
  return { line, column: lineStart < 0 ? start.column + end : end - lineStart };
}
