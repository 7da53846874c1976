// The limits of one run: its clock, and the tokens it may still generate.

import { startTimer } from "../base/timer.ts";
import type { LimitName } from "./events.ts";
import type { RunLimits } from "./run.ts";

export interface RunClock {
  /** Aborted by the caller's signal or when the time is up. */
  readonly signal: AbortSignal;
  /** Which of the two it was; undefined while the run may go on. */
  readonly ended: "aborted" | "time" | undefined;
  /** Tokens that may still be generated; undefined without a limit. Never negative. */
  readonly tokensLeft: number | undefined;
  spend(tokens: number): void;
  /** The limit at which the run ends before its next request, `turns` being the turns that it has had. */
  reached(turns: number): Exclude<LimitName, "repetition"> | undefined;
  /** Stops the timer. */
  stop(): void;
}

/** Starts the clock. */
export function startClock(limits: RunLimits, caller: AbortSignal): RunClock {
  const time = new AbortController();
  const stop = limits.maxTimeMs === undefined ? () => {} : startTimer(limits.maxTimeMs, () => time.abort());
  // A timer of no time lets whatever is quick pass by.
  if (limits.maxTimeMs === 0) time.abort();
  let spent = 0;
  const tokensLeft = () =>
    limits.maxTokens === undefined ? undefined : Math.max(0, limits.maxTokens - spent);
  return {
    signal: AbortSignal.any([caller, time.signal]),
    get ended() {
      if (caller.aborted) return "aborted";
      return time.signal.aborted ? "time" : undefined;
    },
    get tokensLeft() {
      return tokensLeft();
    },
    spend(tokens) {
      spent += tokens;
    },
    reached(turns) {
      if (time.signal.aborted) return "time";
      if (turns >= limits.maxTurns) return "turns";
      return tokensLeft() === 0 ? "tokens" : undefined;
    },
    stop,
  };
}
