// The document of the model engine as it is handed on: the model's text, then what was not proved, then the evidence.

import type { Claim } from "./claims.ts";
import { renderEvidence } from "./evidence-text.ts";
import { code } from "./facts/clip.ts";
import type { Facts } from "./facts/facts.ts";
import { factLines } from "./lines.ts";
import { closeFence } from "./sections.ts";

export interface ModelDocumentParts {
  /** What the model wrote, trimmed. */
  readonly text: string;
  readonly unverified: readonly Claim[];
  /** Undefined: no evidence is wanted. */
  readonly facts: Facts | undefined;
  /** Tokens that the evidence may have. */
  readonly budget: number;
}

/** Puts the parts together. The model's own text is not changed, but for a code fence that it left open. */
export function buildModelDocument({ text, unverified, facts, budget }: ModelDocumentParts): string {
  const parts = [closeFence(text)];
  if (unverified.length > 0) {
    const list = unverified.map((claim) => `- ${claim.kind} ${code(claim.text)}`).join("\n");
    parts.push(`## Unverified\n\nNamed above, but not found in the session:\n${list}`);
  }
  const evidence = facts === undefined ? undefined : renderEvidence(factLines(facts, budget), budget);
  if (evidence !== undefined && evidence.text !== "") {
    parts.push(`## Evidence\n\nFrom the session itself; [id] names the entry.\n\n${evidence.text.trimEnd()}`);
    if (evidence.leftOut !== "") parts.push(`Left out to keep to ${budget} tokens: ${evidence.leftOut}.`);
  }
  return `${parts.join("\n\n")}\n`;
}
