// Searching one file line by line, so that it may be of any size, and showing what was found with the lines around it.

import type { StreamMatcher } from "../matcher/matcher.ts";
import { LINES_A_BREATH } from "./breather.ts";
import { linesOf, sniffFile } from "./files/content.ts";
import type { Opened } from "./files/open.ts";
import { shortLine, WHOLE_LINE_CHARS } from "./output.ts";

/** What a search of several files carries from one to the next. */
export interface FileSearch {
  readonly matcher: StreamMatcher;
  /** Lines to show before and after a match. */
  readonly context: number;
  /** Most matching lines of all files. */
  readonly limit: number;
  /** Takes each line of the result, in order. */
  readonly give: (line: string) => void;
  /** `full`: there was one more than `limit`. */
  readonly counts: { matches: number; files: number; full: boolean };
  readonly breathe: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Searches the file, which is called `shown` in the result. False if it is no text, and was not searched. */
export async function searchFile(file: Opened, shown: string, search: FileSearch): Promise<boolean> {
  const content = sniffFile(file.fd);
  if (content.kind !== "text") return false;
  const { counts, signal, matcher } = search;
  const surroundings = renderer(shown, search);
  let number = 0;
  let hits = 0;
  for (const line of linesOf(file.fd, content.encoding, WHOLE_LINE_CHARS)) {
    if (number % LINES_A_BREATH === 0) await search.breathe();
    if (signal.aborted) break;
    number++;
    if (!matchesLine(matcher, line)) surroundings.pass(line, number);
    else if (counts.matches >= search.limit) {
      counts.full = true;
      break;
    } else {
      hits++;
      counts.matches++;
      surroundings.hit(line, number);
    }
  }
  if (hits > 0) counts.files++;
  return true;
}

function matchesLine(matcher: StreamMatcher, line: string): boolean {
  matcher.restart();
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  return matcher.push(text.slice(0, WHOLE_LINE_CHARS)).length > 0 || matcher.end().length > 0;
}

interface Renderer {
  hit(line: string, number: number): void;
  pass(line: string, number: number): void;
}

/** `path:line:text` for matches, `path-line-text` for lines around them, `--` between groups that do not touch. */
function renderer(shown: string, { context, give }: FileSearch): Renderer {
  const before: (readonly [string, number])[] = [];
  let after = 0;
  let last = 0;
  const show = (mark: string, line: string, number: number) => {
    if (context > 0 && last > 0 && number > last + 1) give("--");
    give(`${shown}${mark}${number}${mark}${shortLine(line)}`);
    last = number;
  };
  return {
    hit(line, number) {
      for (const [earlier, at] of before.splice(0)) show("-", earlier, at);
      show(":", line, number);
      after = context;
    },
    pass(line, number) {
      if (after > 0) {
        after--;
        show("-", line, number);
      } else if (context > 0) {
        before.push([line, number]);
        if (before.length > context) before.shift();
      }
    },
  };
}
