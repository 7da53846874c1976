// Runs of commands whose results nobody has read yet: of a command that ran fifty times the last run counts, so the lines
// of the others are never parsed.

import type { PendingCall } from "./tool-call.ts";

export interface UnreadRun {
  readonly pending: PendingCall;
  /** Which entry holds the result. */
  readonly index: number;
  /** How many runs it stands for, itself included. */
  readonly count: number;
}

export interface UnreadRuns {
  /** A run of the command; it takes the place of one that was called earlier. */
  put(command: string, run: Omit<UnreadRun, "count">): void;
  /** A run that was called as number `order` is read; gives how many that were called before it are not. */
  forget(command: string, order: number): number;
  /** All that is left, in order, and nothing is left after. */
  drain(): readonly UnreadRun[];
}

export function createUnreadRuns(): UnreadRuns {
  const runs = new Map<string, UnreadRun>();
  return {
    put(command, run) {
      const before = runs.get(command);
      const isLatest = before === undefined || before.pending.order < run.pending.order;
      runs.set(command, { ...(isLatest ? run : before), count: (before?.count ?? 0) + 1 });
    },
    forget(command, order) {
      const before = runs.get(command);
      // Results may come in another order than their calls.
      if (before === undefined || before.pending.order > order) return 0;
      runs.delete(command);
      return before.count;
    },
    drain() {
      const left = [...runs.values()].sort((a, b) => a.pending.order - b.pending.order);
      runs.clear();
      return left;
    },
  };
}
