// The evidence as a section of the document: what the session itself shows, group by group, to a budget.

import { plural } from "../base/text.ts";
import { EVIDENCE_GROUPS, type EvidenceGroup, type Line } from "./line.ts";
import { selectLines } from "./select.ts";

/** A group's heading, and what says how much was left out. */
const GROUP_TOKENS = 8;
const LEFT_OUT_TOKENS = 60;

export interface EvidenceText {
  /** Empty where there is nothing to show. */
  readonly text: string;
  readonly leftOut: string;
}

/** Renders lines of the evidence within `budget` tokens. */
export function renderEvidence(lines: readonly Line[], budget: number): EvidenceText {
  const wanted = lines.filter((line) => line.group !== undefined);
  const groups = new Set(wanted.map((line) => line.group));
  const kept = selectLines(wanted, Math.max(0, budget - LEFT_OUT_TOKENS - GROUP_TOKENS * groups.size));
  const parts = EVIDENCE_GROUPS.flatMap((group) => {
    const shown = wanted.filter((line) => line.group === group && kept.has(line));
    return shown.length === 0 ? [] : [`**${group}**\n${shown.map((line) => `- ${line.text}\n`).join("")}`];
  });
  return {
    text: parts.join("\n"),
    leftOut: leftOutText(wanted.filter((line) => !kept.has(line) && line.told === undefined)),
  };
}

/** Where the plural is not the noun and an `s`. */
const MANY: Partial<Record<EvidenceGroup, string>> = {
  "Earlier work": "lines of an earlier summary",
  "Last answer": "lines of the last answer",
  "Model errors": "errors of the model",
  Rules: "rules that fired",
};

/** `12 commands, 3 files read`: what did not fit. */
export function leftOutText(lines: readonly Line[]): string {
  const nouns: Readonly<Record<EvidenceGroup, string>> = {
    "Failing commands": "failing command",
    "Open errors": "open error",
    "Model errors": "error of the model",
    Tests: "test outcome",
    "Files changed": "changed file",
    Commands: "command",
    "Tool calls": "tool call",
    Tasks: "task",
    "User constraints": "user constraint",
    "User requests": "user request",
    Commits: "commit",
    Decisions: "decision",
    Rules: "rule that fired",
    Git: "git line",
    "Earlier work": "line of an earlier summary",
    "Last answer": "line of the last answer",
    "Files read": "read file",
  };
  return EVIDENCE_GROUPS.flatMap((group) => {
    const count = lines
      .filter((line) => line.group === group)
      .reduce((sum, line) => sum + (line.facts ?? 1), 0);
    return count === 0 ? [] : [plural(count, nouns[group], MANY[group])];
  }).join(", ");
}
