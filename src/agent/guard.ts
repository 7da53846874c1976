// What the loop asks of the rules, and nothing more: streams go in, reactions come out. One guard serves one run.

import type { CustomMessage } from "../model/messages.ts";
import type { ModelEvent } from "../model/model.ts";
import type { TtsrEvent } from "./events.ts";

/** A reminder to inject, with the names of its rules. */
export interface Injection {
  readonly reminder: CustomMessage;
  readonly injectedRules: readonly string[];
}

/** Rules that fired now and interrupt: one window, one injection for all of them. */
export interface Interrupt extends Injection {
  readonly mode: "discard" | "keep";
  readonly events: readonly TtsrEvent[];
  /** The run has had all the interrupts that it may have: it ends after this one is written. */
  readonly last: boolean;
  readonly delayMs: number;
}

export interface Reaction {
  /** Matches to report that interrupt nothing. */
  readonly reports: readonly TtsrEvent[];
  readonly interrupt: Interrupt | undefined;
}

export interface RuleGuard {
  /** A request begins: every stream is new. */
  begin(): void;
  /** What one event of the stream makes the rules do. After an interrupt nothing more is pushed until `begin`. */
  push(event: ModelEvent): Reaction;
  /** The message stands, its tools have run: what was to be reminded of afterwards. */
  settle(): Injection | undefined;
  /** The attempt failed: what was seen in it is void. */
  discard(): void;
  /** A turn ended that no rule interrupted. */
  turnCompleted(): void;
}
