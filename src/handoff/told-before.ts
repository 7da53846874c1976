// A handoff document of ours that the next handoff reads again: its evidence by groups, and its lines without what an
// earlier handoff put around them. The ids in it are of another session, so they are taken off.

import { oneLine } from "../base/text.ts";
import { quote } from "./facts/clip.ts";
import { EVIDENCE_GROUPS, type EvidenceGroup } from "./line.ts";

export interface EarlierDocument {
  /** The sections. */
  readonly body: string;
  /** Lines of the evidence, each under its group. */
  readonly evidence: readonly { readonly group: EvidenceGroup; readonly text: string }[];
}

/** Parts a document at its evidence; without one, at the sentence that says what was left out. */
export function splitEvidence(document: string): EarlierDocument {
  const at = document.search(/^## Evidence[ \t]*$|^Left out to keep to \d+ tokens: /m);
  if (at < 0) return { body: document, evidence: [] };
  let group: EvidenceGroup | undefined;
  const evidence = document
    .slice(at)
    .split("\n")
    .flatMap((line) => {
      group = EVIDENCE_GROUPS.find((name) => line === `**${name}**`) ?? group;
      return group !== undefined && line.startsWith("- ") ? [{ group, text: line.slice(2) }] : [];
    });
  return { body: document.slice(0, at), evidence };
}

export interface ToldLine {
  readonly text: string;
  /** What the document itself had taken over from one before it. */
  readonly isOlder: boolean;
  /** The state that it was said to be in even then. */
  readonly state: "in progress" | "pending" | "next" | undefined;
}

/** Ids of a line's entries, wherever they stand in it. */
const IDS = / \[[0-9a-f]{8}(?: … [0-9a-f]{8})?\]/g;
const ID = / \[[0-9a-f]{8}(?: … [0-9a-f]{8})?\]$/;
const AROUND =
  /^From (?:the summary|the earlier handoff|a handoff before that|another branch)(?:, (in progress|pending|next) then)?: (“.*)$/s;
/** Several quotations side by side. */
const QUOTATIONS = /^“[^“”]*”(?: “[^“”]*”)+$/;
/** More handoffs than this in a row leave their words standing. */
const MOST_AROUND = 20;

/** A line as it was told first, without the ids, which are of another session. */
export function toldLine(line: string): ToldLine {
  let text = line.replace(ID, "");
  let state: ToldLine["state"];
  let depth = 0;
  for (; depth < MOST_AROUND; depth++) {
    const around = AROUND.exec(text);
    if (around === null) break;
    const [, said, inner = ""] = around;
    if (said === "in progress" || said === "pending" || said === "next") state = said;
    text = QUOTATIONS.test(inner) ? inner : inner.slice(1).replace(/”$/, "").replace(ID, "");
  }
  return { text: text.replace(IDS, "").replace(/^“([^“”]*)”$/, "$1"), isOlder: depth > 0, state };
}

/** What an earlier session left to be done, by the command that failed or never ran. */
const LEFT_OPEN = /^(?:(?:Fix what fails|Agreed to)\b[^`]*)?`([^`]+)`(?: → failed\b|$)/;

/** The command that a line says is still to be mended or run. */
export function openCommand(text: string): string | undefined {
  return LEFT_OPEN.exec(text)?.[1];
}

/** A quotation; several side by side stay as they are. Cut at `max` UTF-16 units. */
export function asQuotation(text: string, max: number): string {
  const cut = oneLine(text, max);
  if (!QUOTATIONS.test(text)) return quote(cut);
  return cut.endsWith("”") ? cut : `${cut}”`;
}

/** Says where the work stood, how it was told, or what was looked at: of an earlier session nobody needs it. */
const STORY =
  /^(?:Answered last, see that it is done|Go on with the newest request|The session ends in the middle|The newest request has no answer|The work was interrupted|The last answer failed|Last words: |A request to the model failed|Rules that fired: )|^\d+ commands? that only looked: |^“.*\(superseded by\)/;
/** What an earlier session said or asked, which the one after it has heard. */
const SAID = /^(?:Last answer|Announced|Asked of the user|Before it)\b|^(?:Newest request: )?“.{0,30}”$/;

/** Whether a line that an earlier handoff told is worth telling again; of one before that less is. */
export function isWorthTelling({ text, isOlder }: ToldLine): boolean {
  return !STORY.test(text) && !(isOlder && SAID.test(text));
}
