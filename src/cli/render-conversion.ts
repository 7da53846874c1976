// What a conversion did with a file, for people: the same figures that `--output json` has under `report`.

import { plural } from "../base/text.ts";
import { formatLabel } from "../session/formats/labels.ts";
import type { ConversionReport } from "../session/formats/report.ts";

/** How many problems are told one by one. */
const SHOWN_PROBLEMS = 10;

/** The problems of a conversion, the first ones told one by one. */
export function renderProblems({ problems, moreProblems }: ConversionReport): readonly string[] {
  const shown = problems.slice(0, SHOWN_PROBLEMS);
  const more = problems.length - shown.length + moreProblems;
  return [
    ...shown.map(({ line, code, problem }) => `line ${line}: ${problem} (${code})`),
    ...(more === 0 ? [] : [`${plural(more, "more problem")}`]),
  ];
}

/** What is in the file and what became of it: lines without newline, the most important first. */
export function renderConversion(report: ConversionReport): readonly string[] {
  const by = report.writtenBy === undefined ? "" : `, written by ${report.writtenBy}`;
  return [
    `${formatLabel(report.format)}${by}: ${renderMessages(report)}`,
    ...renderPairs(report),
    ...renderTree(report),
    ...renderList(
      "kept as custom entries",
      report.kept.map((kind) => `${kind.count} ${kind.customType}`),
    ),
    ...renderList(
      "not in the converted session",
      report.counted.map((kind) => `${kind.count} ${kind.kind} (${kind.reason})`),
    ),
  ];
}

function renderMessages(report: ConversionReport): string {
  const { total, user, assistant, toolResult, other } = report.messages;
  const parts = [
    `${user} user`,
    `${assistant} assistant`,
    plural(toolResult, "tool result"),
    ...(other === 0 ? [] : [`${other} other`]),
  ];
  return `${plural(total, "message")} (${parts.join(", ")}), ${plural(report.calls, "tool call")}`;
}

function renderPairs({ callsWithoutResult, resultsWithoutCall }: ConversionReport): readonly string[] {
  return [
    ...(callsWithoutResult === 0 ? [] : [`${plural(callsWithoutResult, "call")} without a result`]),
    ...(resultsWithoutCall === 0 ? [] : [`${plural(resultsWithoutCall, "result")} without a call`]),
  ];
}

function renderTree({ compactions, branches }: ConversionReport): readonly string[] {
  return [
    ...(compactions === 0 ? [] : [plural(compactions, "compaction")]),
    ...(branches === 0 ? [] : [plural(branches, "branch", "branches")]),
  ];
}

function renderList(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`${title}: ${items.join(", ")}`];
}
