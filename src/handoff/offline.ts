// A handoff document from the session alone, without a model: six sections of quoted facts, and the evidence. The same
// session gives the same bytes. The first thousand tokens or so hold what the next one needs first; what did not fit
// there follows in the evidence, and what did not fit at all is counted.

import { oneLine } from "../base/text.ts";
import type { SessionFormat } from "../session/session.ts";
import { code, quote } from "./clip.ts";
import { renderEvidence } from "./evidence-text.ts";
import type { Facts, RequestFact } from "./facts.ts";
import { factLines, type Line, type Place } from "./lines.ts";
import { selectLines, tokensOf } from "./select.ts";
import { summaryLines } from "./summary-lines.ts";

export interface OfflineOptions {
  readonly facts: Facts;
  readonly source: { readonly id: string; readonly cwd: string; readonly format: SessionFormat };
  /** Tokens that the document may have. */
  readonly budget: number;
  readonly focus: string | undefined;
  readonly evidence: boolean;
}

/** The least that the sections get, whatever the budget: so much stands before the evidence. */
const CORE_TOKENS = 940;
/** The headings and the first line of the document. */
const FRAME_TOKENS = 95;

const PLACES: readonly {
  readonly heading: string;
  readonly places: readonly Place[];
  readonly empty: string;
}[] = [
  { heading: "## Goal", places: ["goal"], empty: "No request of the user is in the session." },
  { heading: "## Constraints & Preferences", places: ["constraints"], empty: "None stated." },
  { heading: "## Progress\n\n### Done", places: ["done"], empty: "Nothing recorded." },
  { heading: "### In Progress", places: ["inProgress"], empty: "Nothing." },
  { heading: "### Pending", places: ["pending"], empty: "Nothing recorded." },
  { heading: "## Key Decisions", places: ["decisions"], empty: "None found in the text." },
  { heading: "## Critical Context", places: ["context"], empty: "Nothing recorded." },
  { heading: "## Next Steps", places: ["next"], empty: "Ask for the next request." },
];

/** The document. Deterministic: it depends on the facts and the options alone. */
export function buildOfflineDocument(options: OfflineOptions): string {
  const { facts, budget, focus } = options;
  const lines = [
    ...goalLines(facts, focus),
    ...stateLines(facts),
    ...summaryLines(facts.summaries),
    ...nextLines(facts),
    ...factLines(facts),
  ];
  const coreBudget = Math.max(
    0,
    Math.min(budget - (budget < 1200 ? 30 : 60), Math.max(CORE_TOKENS, Math.floor(budget / 4))),
  );
  const core = selectLines(
    lines.filter((line) => line.place !== undefined),
    coreBudget - FRAME_TOKENS,
  ).kept;
  const sections = `${titleOf(options)}\n${PLACES.map((part) => renderPart(part, lines, core)).join("\n")}`;
  const rest = lines.filter((line) => !core.has(line));
  const evidence = renderEvidence(options.evidence ? rest : [], budget - tokensOf(sections) - 6);
  const beyond = evidence.text === "" ? "" : `\n## Evidence\n\n${evidence.text}`;
  const leftOut =
    evidence.leftOut === "" ? "" : `\nLeft out to keep to ${budget} tokens: ${evidence.leftOut}.\n`;
  return `${sections}${beyond}${leftOut}`;
}

function renderPart(part: (typeof PLACES)[number], lines: readonly Line[], core: ReadonlySet<Line>): string {
  const shown = lines.filter(
    (line) => line.place !== undefined && part.places.includes(line.place) && core.has(line),
  );
  const numbered = part.places.includes("next");
  const body = shown.map((line, index) => `${numbered ? `${index + 1}.` : "-"} ${line.text}\n`).join("");
  return `${part.heading}\n${body === "" ? `${part.empty}\n` : body}`;
}

function titleOf({ facts, source }: OfflineOptions): string {
  const times =
    facts.firstTimestamp === null
      ? ""
      : `, ${facts.firstTimestamp.slice(0, 16)}Z to ${(facts.lastTimestamp ?? "").slice(0, 16)}Z`;
  const where = source.cwd === "" ? "" : ` in ${code(source.cwd)}`;
  return `# Handoff\n\nSession ${source.id} (${source.format}, ${facts.counts.messages} messages${times})${where}. [id] names the entry that a line rests on.\n`;
}

function goalLines(facts: Facts, focus: string | undefined): readonly Line[] {
  const lines: Line[] = [];
  const add = (score: number, text: string) => lines.push({ place: "goal", group: undefined, score, text });
  if (focus !== undefined) add(1000, `Additional focus: ${focus}`);
  const standing = facts.requests.filter((request) => request.supersededBy === undefined);
  const newest = standing.at(-1) ?? facts.requests.at(-1);
  if (newest !== undefined)
    add(200, `Newest request: ${quote(oneLine(newest.text, 480))} [${newest.entryId}]`);
  const before = newest === undefined || newest.text.length > 80 ? [] : standing.slice(-4, -1).reverse();
  for (const [index, request] of before.entries())
    add(88 - 8 * index, `Before it: ${quote(oneLine(request.text, 200))} [${request.entryId}]`);
  const first = standing[0];
  if (first !== undefined && first !== newest && !before.includes(first))
    add(90, `First request: ${quote(oneLine(first.text, 300))} [${first.entryId}]`);
  return lines;
}

/** Where the work stopped, and the last words about it. */
function stateLines(facts: Facts): readonly Line[] {
  const { end, lastAnswer } = facts;
  const lines: Line[] = [];
  const stopped = end !== null && end.state !== "answered";
  if (end !== null && stopped)
    lines.push({
      place: "inProgress",
      group: undefined,
      score: 95,
      text: `${endText(end.state)}${end.detail === "" ? "" : `: ${end.detail}`} [${end.entryId}]`,
    });
  if (lastAnswer !== null) {
    lines.push({
      place: stopped ? "inProgress" : "done",
      group: undefined,
      score: 80,
      text: `Last answer: ${quote(oneLine(lastAnswer.text, 360))} [${lastAnswer.entryId}]`,
    });
  }
  return lines;
}

function endText(state: NonNullable<Facts["end"]>["state"]): string {
  switch (state) {
    case "answered":
      return "The last request was answered";
    case "interrupted":
      return "The work was interrupted";
    case "failed":
      return "The last answer failed";
    case "working":
      return "The session ends in the middle of a turn, after tool calls";
    case "unanswered":
      return "The newest request has no answer yet";
  }
}

function nextLines(facts: Facts): readonly Line[] {
  const lines: Line[] = [];
  const add = (score: number, text: string) => lines.push({ place: "next", group: undefined, score, text });
  const newest: RequestFact | undefined =
    facts.requests.filter((request) => request.supersededBy === undefined).at(-1) ?? facts.requests.at(-1);
  if (newest !== undefined) {
    const answered =
      facts.end?.state === "answered"
        ? "Answered last; check that it is done"
        : "Go on with the newest request";
    add(199, `${answered}: ${quote(oneLine(newest.text, 120))} [${newest.entryId}]`);
  }
  const failing = facts.failing[0];
  if (failing !== undefined)
    add(91, `Mend what fails: ${code(oneLine(failing.command, 61))} [${failing.entryId}]`);
  for (const [index, step] of facts.announced.entries())
    add(81 - 3 * index, `Announced: ${quote(oneLine(step.text, 180))} [${step.entryId}]`);
  return lines;
}
