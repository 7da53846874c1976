// What a filter of text says after each piece: what may be written, what was found, and whether it is over.

import type { TtsrRule } from "./register.ts";
import type { Position } from "./rule.ts";

/** A rule that fired. `position`: where its match begins if the text is held, else where the match was certain. */
export interface FilterReport {
  readonly rule: TtsrRule;
  readonly action: "stopped" | "redacted" | "passed";
  readonly position: Position;
}

export interface FilterStep {
  /** To be written now. */
  readonly write: string;
  readonly reports: readonly FilterReport[];
  /**
   * Nothing more may be pushed: a rule stopped it, more than was allowed would have to be held, or a rule that must not
   * be passed gave up.
   */
  readonly end?: "stopped" | "overflow" | "gaveUp";
}

/** A rule that gave up: what came after was not looked at for it. `at` in UTF-16 units. */
export interface FilterGaveUp {
  readonly rule: TtsrRule;
  readonly at: number;
}
