// Calls of tools that are neither shell nor files nor task lists: servers of other programs, the web, subagents. What they
// were for is all that is known of them, so that is what is told.

import type { Redact } from "../redact.ts";
import { clip } from "./clip.ts";
import type { CallFact } from "./facts.ts";

const PURPOSE_LENGTH = 160;

export interface CallCollector {
  ended(call: {
    readonly tool: string;
    readonly purpose: string;
    readonly ok: boolean;
    readonly entryId: string;
  }): void;
  /** The latest first. */
  facts(): readonly CallFact[];
}

export function createCallCollector(redact: Redact): CallCollector {
  const calls = new Map<string, CallFact>();
  return {
    ended({ tool, purpose, ok, entryId }) {
      const shown = clip(redact(purpose), PURPOSE_LENGTH);
      const key = `${tool}\n${shown}`;
      const runs = (calls.get(key)?.runs ?? 0) + 1;
      calls.delete(key);
      calls.set(key, { tool: clip(tool, 80), purpose: shown, ok, runs, entryId });
    },
    facts: () => [...calls.values()].reverse(),
  };
}
