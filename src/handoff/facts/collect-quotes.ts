// Sentences worth quoting: what the user wants kept to, what was decided and why, what is said to come next.

import type { Redact } from "../redact.ts";
import { clip } from "./clip.ts";
import { constraintQuotes, outlivesItsRequest } from "./constraint-quotes.ts";
import { decisionWeight } from "./decision-words.ts";
import type { Proposal, QuoteFact } from "./facts.ts";
import { namedOption, type Option, optionLists, withoutOptions } from "./options.ts";
import { sentencesOf } from "./sentences.ts";

const QUOTE_LENGTH = 260;

interface Kept extends QuoteFact {
  readonly order: number;
  /** Of the request that it was said in or for. */
  readonly request: string;
}

export interface QuoteCollector {
  /** A message of the user: its constraints. */
  user(words: string, order: number, entryId: string): void;
  /** The user's answer to what was asked or listed in `chose` or `answers`: a decision. */
  chosen(words: string, choice: Pick<Kept, "chose" | "answers" | "order" | "entryId">): void;
  /** A text of the assistant: its decisions. */
  assistant(text: string, order: number, entryId: string): void;
  /** `superseded`: requests that were taken back, and with them what they wished. */
  constraints(superseded: ReadonlySet<string>): readonly QuoteFact[];
  /** Of an option that was chosen for a request that was taken back nobody knows whether it stands. */
  decisions(superseded: ReadonlySet<string>): readonly QuoteFact[];
}

export function createQuoteCollector(redact: Redact): QuoteCollector {
  const constraints = new Map<string, Kept>();
  const decisions = new Map<string, Kept>();
  let request = "";
  /** What the assistant chose in the last message in which it did. */
  let ownChoice: { readonly entryId: string; readonly keys: string[] } = { entryId: "", keys: [] };
  const keep = (into: Map<string, Kept>, text: string, fact: Omit<Kept, "text" | "request">): string => {
    const quoted = clip(redact(text), QUOTE_LENGTH);
    const key = quoted
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
    // A choice that is told with what it chose is not told again without.
    if (into.get(key)?.entryId === fact.entryId && fact.weight === CHOSEN_BY_USER) return key;
    into.delete(key);
    into.set(key, { text: quoted, ...fact, request });
    return key;
  };
  return {
    user(words, order, entryId) {
      request = entryId;
      for (const { text, weight } of constraintQuotes(words))
        keep(constraints, text, { weight, order, entryId });
      if (!USER_CHOOSES.test(words)) return;
      for (const sentence of sentencesOf(words, 400))
        if (USER_CHOOSES.test(sentence) && !/[?？]\s*$/.test(sentence))
          keep(decisions, sentence, { weight: CHOSEN_BY_USER, order, entryId });
    },
    chosen(words, choice) {
      request = choice.entryId;
      // What the assistant would have chosen itself is not what was done.
      const over = choice.chose ?? choice.answers;
      if (ownChoice.entryId === over?.entryId) for (const key of ownChoice.keys) decisions.delete(key);
      keep(decisions, words, { weight: CHOSEN_BY_USER, ...choice });
    },
    assistant(text, order, entryId) {
      if (!mayDecide(text)) return;
      const options = text.includes("\n") ? (optionLists(text).at(-1) ?? []) : [];
      for (const sentence of sentencesOf(options.length > 0 ? withoutOptions(text) : text, 300)) {
        const option = chosenOption(sentence, options);
        const weight = option === undefined ? decisionWeight(sentence) : 3;
        if (weight === 0) continue;
        const chose = option === undefined ? {} : { chose: proposal(redact(option.text), entryId) };
        const key = keep(decisions, sentence, { weight, ...chose, order, entryId });
        if (option === undefined) continue;
        if (ownChoice.entryId !== entryId) ownChoice = { entryId, keys: [] };
        ownChoice.keys.push(key);
      }
    },
    constraints: (superseded) =>
      ranked(
        [...constraints.values()].filter(
          (fact) => !superseded.has(fact.request) || (fact.weight === 2 && outlivesItsRequest(fact.text)),
        ),
      ),
    decisions: (superseded) =>
      ranked(
        [...decisions.values()].filter((fact) => fact.chose === undefined || !superseded.has(fact.request)),
      ),
  };
}

function proposal(text: string, entryId: string): Proposal {
  return { text: clip(text, QUOTE_LENGTH), entryId };
}

/** By weight, then the latest first. */
function ranked(kept: readonly Kept[]): readonly QuoteFact[] {
  return [...kept]
    .sort((a, b) => b.weight - a.weight || b.order - a.order)
    .map(({ order: _, request: _for, ...fact }) => fact);
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
  "ption,pproach,go with,ettled,ecis,ecause,nstead of,ather than,ecid,ecommend, cho,oing with,opted,rade,'ll use,will use,witch, swap,entschied,statt , weil ,porque,parce que".split(
    ",",
  );
const OTHER_HINTS =
  "plutôt,decidí,решил,потому,вместо,选择,決定,决定,采用,因为,改用,採用,理由,결정,때문".split(",");

function mayDecide(text: string): boolean {
  if (LATIN_HINTS.some((hint) => text.includes(hint))) return true;
  return /[^\u0000-\u00ff]/.test(text) && OTHER_HINTS.some((hint) => text.includes(hint));
}
