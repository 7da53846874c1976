// A handoff document from the session alone, without a model: six sections of quoted facts, and the evidence. The same
// session gives the same bytes. The first thousand tokens or so hold what the next one needs first; what did not fit
// there follows in the evidence, and what did not fit at all is counted.

import { oneLine, plural } from "../base/text.ts";
import type { SessionFormat } from "../session/session.ts";
import { leftOutText, renderEvidence } from "./evidence-text.ts";
import { code, quote } from "./facts/clip.ts";
import type { Facts } from "./facts/facts.ts";
import type { Line, Place } from "./line.ts";
import { factLines } from "./lines.ts";
import { selectLines, tokensOf } from "./select.ts";
import { storyLines } from "./story-lines.ts";
import { summaryLines } from "./summary-lines.ts";

export interface OfflineOptions {
  readonly facts: Facts;
  readonly source: { readonly id: string; readonly cwd: string; readonly format: SessionFormat };
  /** Tokens that the document may have. */
  readonly budget: number;
  readonly focus: string | undefined;
  readonly evidence: boolean;
}

/** The sections have this much, or a quarter of the budget: what stands here is read first, and cut last. */
const CORE_TOKENS = 990;
/** The heading of the evidence, and the sentence that says what was left out. */
const LEFT_OUT_TOKENS = 30;
/** What a line gains when it has a word of the focus. */
const FOCUS_BONUS = 30;
/** What a line loses in the evidence when the sections name its fact already. */
const TOLD_COST = 14;
/** Words of a focus that name nothing. */
const NAMELESS = new Set(
  "this that with from what when where which have make please about into then them they should will only".split(
    " ",
  ),
);

const PLACES: readonly {
  readonly heading: string;
  readonly places: readonly Place[];
  readonly empty: string;
}[] = [
  { heading: "## Goal", places: ["goal"], empty: "No request in the session." },
  { heading: "## Constraints & Preferences", places: ["constraints"], empty: "None stated." },
  { heading: "## Progress\n\n### Done", places: ["done"], empty: "None." },
  { heading: "### In Progress", places: ["inProgress"], empty: "None." },
  { heading: "### Pending", places: ["pending"], empty: "None." },
  { heading: "## Key Decisions", places: ["decisions"], empty: "None stated." },
  { heading: "## Critical Context", places: ["context"], empty: "None." },
  { heading: "## Next Steps", places: ["next"], empty: "None stated." },
];

/** How often less is tried where the headings took more room than was thought. */
const MOST_ATTEMPTS = 12;
const SLACK_TOKENS = 8;

/** The document. Deterministic: it depends on the facts and the options alone. */
export function buildOfflineDocument(options: OfflineOptions): string {
  const { facts } = options;
  const lines = focused(
    [...storyLines(facts, options), ...factLines(facts, options.budget), ...summaryLines(facts)],
    options.focus,
  );
  let room = options.budget;
  let document = fitLines(options, lines, room);
  for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
    const over = tokensOf(document) - options.budget;
    if (over <= 0) break;
    room -= over + SLACK_TOKENS;
    document = fitLines(options, lines, room);
  }
  return document;
}

/** The document with as many lines as `room` tokens seem to have place for. */
function fitLines(options: OfflineOptions, lines: readonly Line[], room: number): string {
  const placed = lines.filter((line) => line.place !== undefined);
  const most = Math.max(CORE_TOKENS, Math.floor(room / 4));
  const frame = tokensOf(renderSections(options, [], new Set()));
  const core = selectLines(placed, Math.min(room - LEFT_OUT_TOKENS, most) - frame);
  const sections = renderSections(options, placed, core);
  const rest = lines.filter((line) => !core.has(line)).flatMap((line) => beside(line, sections));
  const { text, leftOut } = options.evidence
    ? renderEvidence(rest, room - tokensOf(sections))
    : { text: "", leftOut: leftOutText(rest.filter((line) => line.place !== undefined)) };
  const evidence = text === "" ? "" : `\n## Evidence\n\n${text}`;
  return `${sections}${evidence}${leftOut === "" ? "" : `\nLeft out to keep to ${options.budget} tokens: ${leftOut}.\n`}`;
}

/** How much of a request tells it from others. */
const REQUEST_BEGINNING = 60;

/** What the evidence still says of what stands in the sections: nothing of a request that they quote at such length. */
function beside(line: Line, sections: string): readonly Line[] {
  if (line.group === "User requests") {
    const at = sections.indexOf(line.text.slice(0, REQUEST_BEGINNING));
    const quoted = at < 0 ? "" : sections.slice(at, sections.indexOf("\n", at));
    return quoted.length >= line.text.length ? [] : [line];
  }
  const name = /^`[^`]+`/.exec(line.text)?.[0];
  const told = line.group !== undefined && name !== undefined && sections.includes(name);
  // Of a command they tell how it ended, and its id.
  if (told && line.group === "Commands") return [];
  return [told ? { ...line, score: line.score - TOLD_COST, told } : line];
}

/** Lines that speak of what the user wants the document to dwell on stand higher. */
function focused(lines: readonly Line[], focus: string | undefined): readonly Line[] {
  const words = (
    (focus ?? "").toLowerCase().match(/[\p{L}\p{N}_./-]{4,}|[^\u0000-\u024f\s]{2,}/gu) ?? []
  ).filter((word) => !NAMELESS.has(word));
  if (words.length === 0) return lines;
  return lines.map((line) => {
    const text = line.text.toLowerCase();
    return words.some((word) => text.includes(word)) ? { ...line, score: line.score + FOCUS_BONUS } : line;
  });
}

function renderSections(options: OfflineOptions, lines: readonly Line[], core: ReadonlySet<Line>): string {
  return `${titleOf(options)}\n${PLACES.map((part) => renderPart(part, lines, core)).join("\n")}`;
}

function renderPart(part: (typeof PLACES)[number], lines: readonly Line[], core: ReadonlySet<Line>): string {
  const here = lines.filter((line) => line.place !== undefined && part.places.includes(line.place));
  const shown = here.filter((line) => core.has(line));
  const numbered = part.places.includes("next");
  const body = shown.map((line, index) => `${numbered ? `${index + 1}.` : "-"} ${line.text}\n`).join("");
  if (body !== "") return `${part.heading}\n${body}`;
  return `${part.heading}\n${here.length > 0 ? "See the evidence." : part.empty}\n`;
}

function titleOf({ facts, source }: OfflineOptions): string {
  const where = source.cwd === "" ? "" : ` in ${code(oneLine(source.cwd, 300))}`;
  const name = facts.name === null ? "" : ` ${quote(facts.name)}`;
  return `# Handoff\n\nSession ${oneLine(source.id, 100)}${name}${where}, ${plural(facts.counts.messages, "message")}${untilOf(facts)}. [id]: the entry that a line rests on.\n`;
}

/** To the minute, in UTC; nothing where the session tells no time. */
function untilOf({ lastTimestamp }: Facts): string {
  const time = Date.parse(lastTimestamp ?? "");
  return Number.isNaN(time) ? "" : `, until ${new Date(time).toISOString().slice(0, 16).replace("T", " ")}Z`;
}
