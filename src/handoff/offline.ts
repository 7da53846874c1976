// A handoff document from the session alone, without a model: six sections of quoted facts, and the evidence. The same
// session gives the same bytes. The first thousand tokens or so hold what the next one needs first; what did not fit
// there follows in the evidence, and what did not fit at all is counted.

import { plural } from "../base/text.ts";
import type { SessionFormat } from "../session/session.ts";
import { code } from "./clip.ts";
import { renderEvidence } from "./evidence-text.ts";
import type { Facts } from "./facts.ts";
import { factLines, type Line, type Place } from "./lines.ts";
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

/** The document. Deterministic: it depends on the facts and the options alone. */
export function buildOfflineDocument(options: OfflineOptions): string {
  const { facts, budget } = options;
  const lines = [...storyLines(facts, options), ...summaryLines(facts.summaries), ...factLines(facts)];
  const placed = lines.filter((line) => line.place !== undefined);
  const room = Math.min(budget - LEFT_OUT_TOKENS, Math.max(CORE_TOKENS, Math.floor(budget / 4)));
  const frame = tokensOf(renderSections(options, [], new Set()));
  const core = selectLines(placed, room - frame).kept;
  const sections = renderSections(options, placed, core);
  const rest = options.evidence ? lines.filter((line) => !core.has(line)) : [];
  const evidence = renderEvidence(rest, budget - tokensOf(sections));
  const beyond = evidence.text === "" ? "" : `\n## Evidence\n\n${evidence.text}`;
  const leftOut =
    evidence.leftOut === "" ? "" : `\nLeft out to keep to ${budget} tokens: ${evidence.leftOut}.\n`;
  return `${sections}${beyond}${leftOut}`;
}

function renderSections(options: OfflineOptions, lines: readonly Line[], core: ReadonlySet<Line>): string {
  return `${titleOf(options)}\n${PLACES.map((part) => renderPart(part, lines, core)).join("\n")}`;
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
  const where = source.cwd === "" ? "" : ` in ${code(source.cwd)}`;
  const day = (timestamp: string | null) => (timestamp ?? "").slice(0, 16).replace("T", " ");
  return `# Handoff\n\nSession ${source.id}${where}, ${plural(facts.counts.messages, "message")}, until ${day(facts.lastTimestamp)}Z. [id]: the entry that a line rests on.\n`;
}
