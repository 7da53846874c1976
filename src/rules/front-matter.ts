// The front matter of a rule: YAML between two lines of three dashes. Nearly all of it is read by simple-yaml.ts; the
// rest by the library (yaml-fields.ts), and what strict YAML refuses but people write key by key (front-matter-lines.ts).
// Every value knows where it stands in the file.

import type { Problem } from "./finding.ts";
import type { Excerpt, Field } from "./front-matter-lines.ts";
import type { Position } from "./rule.ts";
import { readSimpleFields } from "./simple-yaml.ts";

export interface FrontMatter {
  readonly fields: readonly Field[];
  /** What follows the front matter, without blank lines around it. */
  readonly body: string;
  readonly bodyPosition: Position;
  readonly problems: readonly Problem[];
}

/** A rule's text in its parts, before the front matter is read. */
export interface FrontMatterText extends Omit<FrontMatter, "fields"> {
  /** The lines between the dashes; undefined where there is no front matter. */
  readonly excerpt: Excerpt | undefined;
}

/** Reads a rule's text. Never rejects; a text without front matter is all body. */
export async function parseFrontMatter(source: string): Promise<FrontMatter> {
  const { excerpt, ...rest } = splitFrontMatter(source);
  if (excerpt === undefined) return { ...rest, fields: [] };
  const simple = readSimpleFields(excerpt);
  if (simple !== undefined) return { ...rest, fields: simple };
  const { readFields } = await import("./yaml-fields.ts");
  return { ...rest, ...readFields(excerpt) };
}

/** Finds the front matter of a rule's text, and what follows it. Never throws. */
export function splitFrontMatter(source: string): FrontMatterText {
  const lines = source.replace(/^\uFEFF/, "").split(/\r?\n/);
  const first = firstFilled(lines, 0);
  if (lines[first]?.trimEnd() !== "---") return { excerpt: undefined, ...bodyFrom(lines, 0), problems: [] };
  const end = closingLine(lines, first + 1);
  if (end === undefined) return unterminated(lines, first);
  const excerpt: Excerpt = { text: lines.slice(first + 1, end).join("\n"), line: first + 2, column: 1 };
  return { excerpt, ...bodyFrom(lines, end + 1), problems: [] };
}

function closingLine(lines: readonly string[], from: number): number | undefined {
  for (let index = from; index < lines.length; index += 1) {
    if (/^(---|\.\.\.)\s*$/.test(lines[index] ?? "")) return index;
  }
  return undefined;
}

/** No line closes the front matter: the whole file is taken as the body, and that is said. */
function unterminated(lines: readonly string[], first: number): FrontMatterText {
  const position = { line: first + 1, column: 1 };
  return {
    excerpt: undefined,
    ...bodyFrom(lines, first + 1),
    problems: [
      {
        code: "R012",
        position,
        message: "the front matter that begins here is never closed, so the whole file was taken as the body",
        fix: "close it with a line of three dashes",
      },
    ],
  };
}

function bodyFrom(
  lines: readonly string[],
  from: number,
): { readonly body: string; readonly bodyPosition: Position } {
  const filled = firstFilled(lines, from);
  return {
    body: lines.slice(from).join("\n").trim(),
    bodyPosition: { line: (filled < lines.length ? filled : from) + 1, column: 1 },
  };
}

/** The index of the first line that is not blank; the number of lines if there is none. */
function firstFilled(lines: readonly string[], from: number): number {
  let index = from;
  while (index < lines.length && lines[index]?.trim() === "") index += 1;
  return index;
}
