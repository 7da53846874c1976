// An object that is spread over several lines (pretty-printed), collected until its brackets close.

export interface SpreadObject {
  /** Where it began, from 1. */
  readonly line: number;
  /** `open`: more lines are wanted. `broken`: no further line can make it JSON. */
  readonly state: "open" | "closed" | "broken";
  add(text: string): void;
  text(): string;
  lines(): readonly string[];
}

/** An object of a line-by-line format is never longer; one that has not closed by then is damage. */
const MAX_CHARS = 33_554_432;

/** Begins with the object's first line. `unlimited`: a document, whose size is its own affair. */
export function createSpreadObject(first: string, line: number, unlimited = false): SpreadObject {
  const lines: string[] = [];
  let chars = 0;
  let depth = 0;
  let state: SpreadObject["state"] = "open";
  const add = (text: string) => {
    lines.push(text);
    chars += text.length;
    const change = depthAfter(text, depth);
    if (change === undefined || (chars > MAX_CHARS && !unlimited)) state = "broken";
    else {
      depth = change;
      if (depth <= 0) state = "closed";
    }
  };
  add(first);
  return {
    line,
    get state() {
      return state;
    },
    add,
    text: () => lines.join("\n"),
    lines: () => lines,
  };
}

/** Bracket depth at the line's end; undefined if the line ends inside a string. */
function depthAfter(text: string, before: number): number | undefined {
  let depth = before;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return inString ? undefined : depth;
}
