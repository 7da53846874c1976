// Where a fire's match stands in its text, for people: found once, after the fire.

import { locateMatch } from "../matcher/locate.ts";
import type { TtsrRule } from "./register.ts";
import type { Position } from "./rule.ts";
import { advance, TEXT_START } from "./text-position.ts";

/** A match in a text. `at` and `end` in UTF-16 units; without a `text` only the place of the decision is known. */
export interface FoundMatch {
  readonly at: number;
  readonly end: number;
  readonly position: Position;
  readonly text: string;
}

/** A fire in the whole text of its stream. */
export interface FireInText {
  readonly rule: TtsrRule;
  readonly at: number;
  readonly atEnd: boolean;
}

/** The leftmost match that the fire decided; where the search for it costs too much, the place of the decision. */
export function locateFire({ rule, at, atEnd }: FireInText, text: string): FoundMatch {
  const request = { rule: { id: rule.name, patterns: rule.conditions }, text };
  let located = locateMatch(atEnd ? request : { ...request, decidedAt: at });
  if (located.kind === "none") located = locateMatch(request);
  const start = located.kind === "match" ? located.start : at;
  const end = located.kind === "match" ? located.end : at;
  return { at: start, end, position: advance(TEXT_START, text, start), text: text.slice(start, end) };
}
