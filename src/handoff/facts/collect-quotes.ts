// Sentences worth quoting: what the user wants kept to, what was decided and why, what is said to come next.

import type { Redact } from "../redact.ts";
import { clip } from "./clip.ts";
import { constraintQuotes, outlivesItsRequest } from "./constraint-quotes.ts";
import type { Proposal, QuoteFact } from "./facts.ts";
import { namedOption, type Option, optionLists, withoutOptions } from "./options.ts";
import { sentencesOf } from "./sentences.ts";

const QUOTE_LENGTH = 260;

interface Kept extends QuoteFact {
  readonly order: number;
}

export interface QuoteCollector {
  /** A message of the user: its constraints. */
  user(words: string, order: number, entryId: string): void;
  /** The user's answer to what was asked or listed in `chose` or `answers`: a decision. */
  chosen(words: string, about: Pick<QuoteFact, "chose" | "answers">, order: number, entryId: string): void;
  /** A text of the assistant: its decisions. */
  assistant(text: string, order: number, entryId: string): void;
  /** `superseded`: requests that were taken back, and with them what they wished. */
  constraints(superseded: ReadonlySet<string>): readonly QuoteFact[];
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
    // A choice that is told with what it chose is not told again without.
    if (into.get(key)?.entryId === fact.entryId && fact.weight === CHOSEN_BY_USER) return;
    into.delete(key);
    into.set(key, { text: quoted, ...fact });
  };
  return {
    user(words, order, entryId) {
      for (const { text, weight } of constraintQuotes(words))
        keep(constraints, text, { weight, order, entryId });
      if (!USER_CHOOSES.test(words)) return;
      for (const sentence of sentencesOf(words, 400))
        if (USER_CHOOSES.test(sentence) && !/[?？]\s*$/.test(sentence))
          keep(decisions, sentence, { weight: CHOSEN_BY_USER, order, entryId });
    },
    chosen(words, about, order, entryId) {
      // What the assistant would have chosen itself is not what was done.
      const over = about.chose ?? about.answers;
      for (const [key, fact] of decisions)
        if (fact.chose !== undefined && fact.entryId === over?.entryId) decisions.delete(key);
      keep(decisions, words, { weight: CHOSEN_BY_USER, ...about, order, entryId });
    },
    assistant(text, order, entryId) {
      if (!mayDecide(text)) return;
      const options = text.includes("\n") ? (optionLists(text).at(-1) ?? []) : [];
      for (const sentence of sentencesOf(options.length > 0 ? withoutOptions(text) : text, 300)) {
        const option = chosenOption(sentence, options);
        const weight = option === undefined ? decisionWeight(sentence) : 3;
        const chose = option === undefined ? {} : { chose: proposal(redact(option.text), entryId) };
        if (weight > 0) keep(decisions, sentence, { weight, ...chose, order, entryId });
      }
    },
    constraints: (superseded) =>
      ranked(constraints).filter(
        (fact) => !superseded.has(fact.entryId) || (fact.weight === 2 && outlivesItsRequest(fact.text)),
      ),
    decisions: () => ranked(decisions),
  };
}

function proposal(text: string, entryId: string): Proposal {
  return { text: clip(text, QUOTE_LENGTH), entryId };
}

/** By weight, then the latest first. */
function ranked(kept: ReadonlyMap<string, Kept>): readonly QuoteFact[] {
  return [...kept.values()]
    .sort((a, b) => b.weight - a.weight || b.order - a.order)
    .map(({ order: _, ...fact }) => fact);
}

/** More than anything that the assistant said. */
const CHOSEN_BY_USER = 4;

/** The user settles something in words of their own. */
const USER_CHOOSES =
  /\b(?:let'?s|we'?ll|i'?ll|i'?d(?: rather)?|we should) (?:go|stick) with\b|^\W*(?:(?:ok|okay|yes|no)\W+)?(?:go|stick) with\b|\blet'?s (?:pick|choose|settle on)\b|\bi(?:'ve)? (?:chose|choose|decided|picked)\b/i;

const CHOOSES =
  /\b(?:i(?:'d| would|'ll| will|'m)?|we(?:'ll| will| should|'d)?|let'?s|let me|going|my (?:recommendation|preference|choice|pick)|recommend(?:ed|ation)?|better|best|sense)\b/i;
const AGAINST =
  /\b(?:not|don'?t|doesn'?t|isn'?t|wouldn'?t|won'?t|can'?t|never|avoid|if|unless|whether|could|either)\b/i;

/** The option that the sentence settles on; undefined where it only speaks of one. */
function chosenOption(sentence: string, options: readonly Option[]): Option | undefined {
  if (options.length === 0 || /[?？]\s*$/.test(sentence)) return undefined;
  return CHOOSES.test(sentence) && !AGAINST.test(sentence) ? namedOption(sentence, options) : undefined;
}

/** A text without one of these has no decision. Looked for without a regular expression, since every text is asked. */
const LATIN_HINTS =
  "ption,pproach,go with,ecause,nstead of,ather than,ecid,ecommend, cho,oing with,opted,rade,'ll use,will use,witch, swap,entschied,statt , weil ,porque,parce que".split(
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
  /\b(?:decided|recommend(?:ed)?|decision|chose|chosen|opted|settled on|going with|(?:i'?ll|we'?ll|i will|we will|let'?s) (?:go|stick) with)\b|entschied|choisi|decidí|решил|选择|决定|決定|採用|결정/i;

/** Says what may be, or asks. */
const TENTATIVE =
  /^\W*(?:let me|i need to|now let|maybe|perhaps|first,? let|i (?:bet|think|guess|suspect)|it (?:seems|looks)|looks like|probably|if|unless|whether|(?:we|you|i|one) (?:can|could|might|may)|alternatively|option|another option|either)(?![\p{L}'’])|[?？]\s*$|\b(?:not|n't|un) ?(?:yet )?decided\b|\b(?:to be|must be|has to be|needs? to be|still) decided\b/iu;
/** Tells what was done to a thing, where a decision has somebody who takes it. */
const REPORTS =
  /^\W*(?:now |also |then |successfully )*(?:it(?:'s)? |this |that |they )?(?:just |only |now )?(?:fixed|updated?s?|added|removed|changed|replaced|created|implemented|refactored|moved|renamed|rewrote|cleaned|converted|adjusted|improved|made|set|wrote|uses?|using|keeps?|has|is|are)\b/i;
const OWN = /\b(?:i|we|let'?s|i'(?:ll|m|ve|d)|we'(?:ll|re|ve|d))\b|[^\u0000-\u024f]/i;
const BECAUSE =
  /\b(?:because|since|so that|due to|to avoid|in order to|trade-?off|otherwise|reason|weil|damit|parce que|porque|потому что)\b|因为|ため|理由|때문/i;

/** 3: decided, with its reason; 2: decided; 1: done so for a reason; 0: neither. */
function decisionWeight(sentence: string): number {
  if (sentence.length < 20 || TENTATIVE.test(sentence)) return 0;
  const reason = REASON.test(sentence);
  if (FIRM.test(sentence)) return reason ? 3 : 2;
  if (!reason || !DECIDES.test(sentence)) return 0;
  // "The footer now uses dim instead of muted" tells what was done, not why.
  return OWN.test(sentence) || (BECAUSE.test(sentence) && !REPORTS.test(sentence)) ? 1 : 0;
}
