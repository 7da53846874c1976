// A line of the document: where it stands, and how much the next one needs it. Which lines are kept is decided elsewhere.

import { middleCut, quote } from "./facts/clip.ts";
import type { Proposal } from "./facts/facts.ts";

/** Where a line stands in the document. */
export type Place =
  | "goal"
  | "constraints"
  | "done"
  | "inProgress"
  | "pending"
  | "decisions"
  | "context"
  | "next";

/** Groups of the evidence, in the order in which they are printed. */
export const EVIDENCE_GROUPS = [
  "Failing commands",
  "Open errors",
  "Model errors",
  "Tests",
  "Files changed",
  "Commands",
  "Tool calls",
  "Tasks",
  "User constraints",
  "User requests",
  "Commits",
  "Decisions",
  "Rules",
  "Git",
  "Earlier work",
  "Last answer",
  "Files read",
] as const;

export type EvidenceGroup = (typeof EVIDENCE_GROUPS)[number];

export interface Line {
  /** Undefined: only in the evidence. */
  readonly place: Place | undefined;
  /** Undefined: only in the sections. */
  readonly group: EvidenceGroup | undefined;
  /** Higher is needed more. */
  readonly score: number;
  readonly text: string;
  /** How many facts it tells, where it tells several. */
  readonly facts?: number;
  /** It stands already, if more briefly, above: what is left out of it is not missing. */
  readonly told?: true;
}

/** A line with the id of its entry behind it. */
export function line(where: Omit<Line, "text">, text: string, entryId: string | null): Line {
  return { ...where, text: entryId === null ? text : `${text} [${entryId}]` };
}

interface Quoted {
  readonly chose?: Proposal;
  readonly answers?: Proposal;
  readonly entryId: string;
}

/**
 * A quotation with its id, and behind it what it chose or answers, of at most `max` characters:
 * `“yes” [1c862ff5], answering “Shall I?” [07a8f770]`. What stands between them is `note`.
 */
export function quotation(
  text: string,
  { chose, answers, entryId }: Quoted,
  { max, note = "" }: { readonly max: number; readonly note?: string },
): string {
  const own = `${quote(text)}${note}`;
  const about = chose ?? answers;
  if (about === undefined) return `${own} [${entryId}]`;
  const behind = `${chose === undefined ? "answering" : "which is"} ${quote(middleCut(about.text, max))}`;
  return about.entryId === entryId
    ? `${own}, ${behind} [${entryId}]`
    : `${own} [${entryId}], ${behind} [${about.entryId}]`;
}

/** Facts on one line: those that come after the first few of a list, where only names and states are told. */
export function denseLines<T extends { readonly entryId: string }>(
  facts: readonly T[],
  make: {
    readonly perLine: number;
    /** The text names the id of each. */
    readonly eachId?: boolean;
    where(index: number): Omit<Line, "text">;
    text(facts: readonly T[]): string;
  },
): readonly Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < facts.length; at += make.perLine) {
    const here = facts.slice(at, at + make.perLine);
    const [newest, oldest] = [here[0]?.entryId ?? "", here.at(-1)?.entryId ?? ""];
    const ids = newest === oldest ? newest : `${newest} … ${oldest}`;
    const text = make.eachId === true ? make.text(here) : `${make.text(here)} [${ids}]`;
    lines.push({ ...make.where(at), text, facts: here.length });
  }
  return lines;
}
