// A handoff document of ours that the next handoff reads again: its evidence by groups, and its lines without what an
// earlier handoff put around them. The ids in it are of another session, so they are taken off.

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

const ID = / \[[0-9a-f]{8}(?: … [0-9a-f]{8})?\]$/;
const AROUND =
  /^From (?:the summary|the earlier handoff|a handoff before that|another branch)(?:, (in progress|pending|next) then)?: “(.*)$/s;
/** More handoffs than this in a row leave their words standing. */
const MOST_AROUND = 20;

/** A line as it was told first. */
export function toldLine(line: string): ToldLine {
  let text = line.replace(ID, "");
  let state: ToldLine["state"];
  let depth = 0;
  for (; depth < MOST_AROUND; depth++) {
    const around = AROUND.exec(text);
    if (around === null) break;
    const [, said, inner = ""] = around;
    if (said === "in progress" || said === "pending" || said === "next") state = said;
    text = inner.replace(/”$/, "").replace(ID, "");
  }
  return { text: text.replace(/^“([^“”]*)”$/, "$1"), isOlder: depth > 0, state };
}
