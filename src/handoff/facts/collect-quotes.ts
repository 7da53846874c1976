// Sentences worth quoting: what the user wants kept to, what was decided and why, what is said to come next.

import type { Redact } from "../redact.ts";
import { clip } from "./clip.ts";
import { constraintStrength } from "./constraint-words.ts";
import type { QuoteFact } from "./facts.ts";
import { ledItems } from "./led-items.ts";
import { sentencesOf } from "./sentences.ts";

const QUOTE_LENGTH = 260;

interface Kept extends QuoteFact {
  readonly order: number;
}

export interface QuoteCollector {
  /** A message of the user: its constraints. */
  user(words: string, order: number, entryId: string): void;
  /** A text of the assistant: its decisions. */
  assistant(text: string, order: number, entryId: string): void;
  constraints(): readonly QuoteFact[];
  decisions(): readonly QuoteFact[];
}

export function createQuoteCollector(redact: Redact): QuoteCollector {
  const constraints = new Map<string, Kept>();
  const decisions = new Map<string, Kept>();
  const keep = (into: Map<string, Kept>, text: string, fact: Omit<Kept, "text">) => {
    const quoted = clip(redact(text), QUOTE_LENGTH);
    const key = quoted
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
    into.delete(key);
    into.set(key, { text: quoted, ...fact });
  };
  return {
    user(words, order, entryId) {
      const { items, leads } = ledItems(words);
      for (const item of items) keep(constraints, item.text, { weight: item.weight, order, entryId });
      for (const sentence of sentencesOf(words, 400)) {
        const weight = constraintStrength(sentence);
        if (weight > 0 && !leads.has(sentence) && !isQuestion(sentence, weight))
          keep(constraints, sentence, { weight, order, entryId });
      }
    },
    assistant(text, order, entryId) {
      if (!mayDecide(text)) return;
      for (const sentence of sentencesOf(text, 300)) {
        const weight = decisionWeight(sentence);
        if (weight > 0) keep(decisions, sentence, { weight, order, entryId });
      }
    },
    constraints: () => ranked(constraints),
    decisions: () => ranked(decisions),
  };
}

/** By weight, then the latest first. */
function ranked(kept: ReadonlyMap<string, Kept>): readonly QuoteFact[] {
  return [...kept.values()]
    .sort((a, b) => b.weight - a.weight || b.order - a.order)
    .map(({ text, weight, entryId }) => ({ text, weight, entryId }));
}

/** A wish in the form of a question is a request, not a rule. */
function isQuestion(sentence: string, weight: number): boolean {
  return weight < 2 && /[?？]\s*$/.test(sentence);
}

/** A text without one of these has no decision. Looked for without a regular expression, since every text is asked. */
const LATIN_HINTS =
  "ecause,nstead of,ather than,ecid,ecommend, cho,oing with,opted,rade,'ll use,will use,witch, swap,entschied,statt , weil ,porque,parce que".split(
    ",",
  );
const OTHER_HINTS =
  "plutôt,decidí,решил,потому,вместо,选择,決定,决定,采用,因为,改用,採用,理由,결정,때문".split(",");

function mayDecide(text: string): boolean {
  if (LATIN_HINTS.some((hint) => text.includes(hint))) return true;
  return /[^\u0000-\u00ff]/.test(text) && OTHER_HINTS.some((hint) => text.includes(hint));
}

const DECIDES =
  /\b(?:decided|decision|chose|chosen|choosing|opted|settled on|going with|go with|we(?:'ll| will) use|i(?:'ll| will) use|i(?:'m| am) using|stick(?:ing)? with|(?:switch|swap|mov|migrat)(?:e|ed|ing|ped|ping)? (?:.{1,40} )?to|swap(?:ped)? .{1,40} for|kept|keep(?:ing)?|prefer(?:red)?|picked|use[sd]?)\b|entschied\w*|choisi\w*|decidí\w*|решил\w*|选择|采用|决定|改用|決定|採用|결정/i;
const REASON =
  /\b(?:because|since|so that|due to|to avoid|which (?:avoids|means|keeps|lets|gives|makes|allows|pulls|is|has)|[—–-] no \w+|no need (?:for|to)|as it|in order to|rather than|instead of|trade-?off|otherwise|reason)\b|\b(?:weil|damit|statt|parce que|plutôt|afin|porque|para que|en lugar|потому что|чтобы|вместо)\b|因为|以便|而不是|ため|理由|ので|때문/i;
const FIRM =
  /\b(?:decided|recommend(?:ed)?|decision|chose|chosen|opted|settled on|going with)\b|entschied|choisi|decidí|решил|选择|决定|決定|採用|결정/i;

/** 3: decided, with its reason; 2: decided; 1: done so for a reason; 0: neither. */
function decisionWeight(sentence: string): number {
  if (
    sentence.length < 20 ||
    /[?？]\s*$/.test(sentence) ||
    /^(?:let me|i need to|now let|maybe|perhaps|first,? let|i (?:bet|think|guess|suspect)|it (?:seems|looks)|looks like|probably)/i.test(
      sentence,
    )
  )
    return 0;
  const reason = REASON.test(sentence);
  if (FIRM.test(sentence)) return reason ? 3 : 2;
  return reason && DECIDES.test(sentence) ? 1 : 0;
}
