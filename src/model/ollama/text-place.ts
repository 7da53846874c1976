// Where a text has got to: whether its last line is blank so far, and whether it is inside a code fence. Kept as the text
// grows, so that asking at every tag of a long text costs no more than reading it once.

/** `blank`: spaces and tabs. `space`: other white space too, where no fence can begin. `tick`, `ticks`: one and two of a fence. */
type Line = "blank" | "space" | "tick" | "ticks" | "text";

export interface TextPlace {
  readonly insideFence: boolean;
  readonly line: Line;
}

export const TEXT_START: TextPlace = { insideFence: false, line: "blank" };

/** The place after `more`. */
export function advance(place: TextPlace, more: string): TextPlace {
  let { insideFence, line } = place;
  for (let at = 0; at < more.length; at++) {
    const char = more.charAt(at);
    if (char === "\n") {
      line = "blank";
      continue;
    }
    if (line === "text") {
      const end = more.indexOf("\n", at);
      if (end < 0) break;
      at = end - 1;
      continue;
    }
    if (line === "ticks" && char === "`") insideFence = !insideFence;
    line = lineAfter(line, char);
  }
  return { insideFence, line };
}

function lineAfter(line: Line, char: string): Line {
  if (line === "blank" && (char === " " || char === "\t")) return "blank";
  if (line === "blank" && char === "`") return "tick";
  if (line === "tick" && char === "`") return "ticks";
  return (line === "blank" || line === "space") && char.trim() === "" ? "space" : "text";
}

/** Whether the last line has nothing but white space. */
export function isBlankLine({ line }: TextPlace): boolean {
  return line === "blank" || line === "space";
}
