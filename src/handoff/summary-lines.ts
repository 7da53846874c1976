// Lines from a document that stands for earlier work: the summary of a compaction, or the handoff that the session began
// with. It may be the only record of the early work, so its sections are carried over, quoted line by line.

import { oneLine } from "../base/text.ts";
import { quote } from "./clip.ts";
import type { SummaryFact } from "./facts.ts";
import type { Line, Place } from "./lines.ts";
import { parseSections, type SectionName } from "./sections.ts";

const TARGET: readonly (readonly [SectionName, Place, number])[] = [
  ["Goal", "goal", 89],
  ["Constraints & Preferences", "constraints", 91],
  ["Progress", "done", 79],
  ["Key Decisions", "decisions", 83],
  ["Critical Context", "context", 78],
  ["Next Steps", "next", 76],
];

/** Lines of the last summaries, with the id of the entry that holds them. */
export function summaryLines(summaries: readonly SummaryFact[]): readonly Line[] {
  return summaries.slice(-3).flatMap((summary) => {
    const { sections } = parseSections(summary.text);
    const named = TARGET.flatMap(([name, place, score]) => {
      const text = sections[name];
      return text === undefined
        ? []
        : bodyLines(text, name).map((item, index) => ({
            place: item.place ?? place,
            group: undefined,
            score: score - 2 * index,
            text: `${from(summary)}${quote(oneLine(item.text, 260))} [${summary.entryId}]`,
          }));
    });
    if (named.length > 0) return named;
    return bodyLines(summary.text, "Goal").map((item, index) => ({
      place: "context" as const,
      group: undefined,
      score: 88 - 3 * index,
      text: `${from(summary)}${quote(oneLine(item.text, 300))} [${summary.entryId}]`,
    }));
  });
}

function from(summary: SummaryFact): string {
  return summary.kind === "compaction"
    ? "From the summary: "
    : summary.kind === "handoff"
      ? "From the earlier handoff: "
      : "From another branch: ";
}

interface BodyLine {
  readonly text: string;
  readonly place: Place | undefined;
}

/** Its paragraphs and list items, each under `Done`, `In Progress` or `Pending` where such a heading stands above it. */
function bodyLines(text: string, section: SectionName): readonly BodyLine[] {
  let place: Place | undefined;
  let fenced = false;
  return text.split("\n").flatMap((line): readonly BodyLine[] => {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const bare = line.replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, "").trim();
    if (fenced || bare === "" || /^(?:```|~~~|-{3,}|_{3,})/.test(bare)) return [];
    const title = bare
      .replace(/[#*_:]/g, "")
      .trim()
      .toLowerCase();
    if (
      section === "Progress" &&
      /^(?:done|completed|in progress|pending|blocked|todo|remaining)$/.test(title)
    ) {
      place = /^(?:done|completed)$/.test(title)
        ? "done"
        : title === "in progress"
          ? "inProgress"
          : "pending";
      return [];
    }
    if (/^#{1,6}\s/.test(bare) || title === "none" || title === "(none)") return [];
    return [{ text: bare, place }];
  });
}
