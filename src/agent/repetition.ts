// Notices a model that goes in circles: the same call with the same result, again and again.

import type { ToolCallBlock, ToolResultMessage } from "../model/messages.ts";

/** Identical calls with identical results that end a run. */
export const MAX_REPETITIONS = 5;

export interface RepetitionDetector {
  /** Takes a call with its result; true when this was the fifth time. */
  repeated(call: ToolCallBlock, result: ToolResultMessage, readOnly: boolean): boolean;
}

/**
 * Counts until something new is done: a call not seen before of a tool that can change things starts the count anew,
 * so that running the same tests after each of five edits is no repetition.
 */
export function createRepetitionDetector(): RepetitionDetector {
  const counts = new Map<string, number>();
  const calls = new Set<string>();
  return {
    repeated(call, result, readOnly) {
      const called = `${call.name} ${JSON.stringify(call.arguments)}`;
      if (!readOnly && !calls.has(called)) counts.clear();
      calls.add(called);
      const key = `${called} ${result.isError} ${JSON.stringify(result.content)}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count >= MAX_REPETITIONS;
    },
  };
}
