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
  /** The latest run of the command; it takes the place of an earlier one. */
  put(command: string, run: Omit<UnreadRun, "count">): void;
  /** The command ran again and that result is read; gives how many runs are not. */
  forget(command: string): number;
  /** All that is left, in order, and nothing is left after. */
  drain(): readonly UnreadRun[];
}

export function createUnreadRuns(): UnreadRuns {
  const runs = new Map<string, UnreadRun>();
  return {
    put(command, run) {
      runs.set(command, { ...run, count: (runs.get(command)?.count ?? 0) + 1 });
    },
    forget(command) {
      const count = runs.get(command)?.count ?? 0;
      runs.delete(command);
      return count;
    },
    drain() {
      const left = [...runs.values()].sort((a, b) => a.pending.order - b.pending.order);
      runs.clear();
      return left;
    },
  };
}
