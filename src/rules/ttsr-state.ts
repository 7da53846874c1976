// What the policy of rules knows (its state), what happens to it (inputs), and what it makes the loop do (effects).

import type { TtsrSettings } from "../settings/settings.ts";
import type { ContextMode, RuleSeverity } from "./rule.ts";
import type { WatchFire } from "./stream.ts";

/** What became of a matched text: it left the branch, it stayed, or it stayed and the model is reminded. */
export type ViolationOutcome = "discarded" | "kept" | "suppressed" | "reminded";

/** As in the `result` record. `at` is in UTF-16 units. `path` is as the call wrote it, if it had come by then. */
export interface Violation {
  readonly rule: string;
  readonly severity: RuleSeverity;
  readonly stream: string;
  readonly toolCallId?: string;
  readonly path?: string;
  readonly at: number;
  readonly outcome: ViolationOutcome;
}

/** A rule whose reminder was injected: `at` is the count of completed turns then; negative if restored. */
export interface Injection {
  readonly at: number;
}

export interface TtsrState {
  readonly limits: Pick<TtsrSettings, "maxInterrupts" | "maxInterruptsPerRule">;
  /** Turns that ended and were not interrupted. */
  readonly messageCount: number;
  readonly injected: ReadonlyMap<string, Injection>;
  /** Interrupts of this run, in all and by rule; by rule, reminders that make one more request count too. */
  readonly interrupts: number;
  readonly interruptsOf: ReadonlyMap<string, number>;
  /** Between an interrupt and the next request. */
  readonly interrupting: boolean;
  /** Matches that only remind, in messages that stayed, whose reminder was not given yet. */
  readonly deferred: readonly WatchFire[];
  /** Matches of the message that is being received. */
  readonly current: readonly CurrentMatch[];
  /** Of messages that were decided on. */
  readonly violations: readonly Violation[];
}

/** A match in a message that may still become void; `before` is what the rule's injection was, to go back to. */
export interface CurrentMatch {
  readonly fire: WatchFire;
  readonly outcome: "suppressed" | "reminded";
  readonly before: Injection | undefined;
}

export type TtsrInput =
  /** What `Watch.push` gave, if anything. */
  | { readonly type: "fired"; readonly fires: readonly WatchFire[] }
  /** The interrupt's entries are written and the model is asked again, or the run ends. */
  | { readonly type: "resumed" }
  /** The assistant message is whole and stays on the branch. Tools have not run yet. */
  | { readonly type: "messageEnd" }
  /** The message is void: its request failed and is tried again. */
  | { readonly type: "messageVoid" }
  /** A tool call has its result. */
  | { readonly type: "toolResult"; readonly toolCallId: string }
  /** The turn is over and was not interrupted. */
  | { readonly type: "turnEnd" }
  /** The run ends, for whatever reason. */
  | { readonly type: "runEnd" };

export type TtsrEffect =
  /**
   * Abort the request at once. `fires` interrupt; `deferred` had only to remind, in the message that is kept now: one
   * reminder is for all of them. `limitReached`: this interrupt is past `maxInterrupts`; write as always, then end the
   * run as stopped by a rule.
   */
  | {
      readonly type: "interrupt";
      readonly fires: readonly WatchFire[];
      readonly deferred: readonly WatchFire[];
      readonly contextMode: ContextMode;
      readonly limitReached: boolean;
    }
  /** Report only. */
  | { readonly type: "suppressed"; readonly fire: WatchFire; readonly reason: string }
  /** Report; the reminder comes later, as a `remind` effect. */
  | { readonly type: "deferred"; readonly fire: WatchFire }
  /** Give one reminder of these now: after the tool's result, or at the end of the turn (then ask the model once more). */
  | { readonly type: "remind"; readonly fires: readonly WatchFire[] };

export interface TtsrStep {
  readonly state: TtsrState;
  readonly effects: readonly TtsrEffect[];
}

/** A rule that was injected earlier in this session, and how many completed turns ago. */
export interface RestoredInjection {
  readonly name: string;
  readonly age: number;
}
