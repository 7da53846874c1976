// Errors of tools other than commands: open until the same thing succeeds.

import type { Redact } from "../redact.ts";
import { clip } from "./clip.ts";
import { errorLine } from "./error-line.ts";
import type { ErrorFact } from "./facts.ts";

const ERROR_LENGTH = 240;
const TARGET_LENGTH = 160;

export interface ErrorCollector {
  /** Gives what it keeps; undefined if the output says nothing. */
  failed(failure: {
    readonly tool: string;
    readonly target: string;
    readonly output: string;
    readonly entryId: string;
  }): Omit<ErrorFact, "open"> | undefined;
  /** The same tool, or any change of the same file, went well. */
  succeeded(tool: string, target: string): void;
  /** The latest first. */
  facts(): readonly ErrorFact[];
}

export function createErrorCollector(redact: Redact): ErrorCollector {
  const errors = new Map<string, ErrorFact>();
  return {
    failed({ tool, target, output, entryId }) {
      const key = `${target === "" ? tool : ""}\n${target}`;
      const text = clip(redact(errorLine(output, 10 * ERROR_LENGTH)), ERROR_LENGTH);
      errors.delete(key);
      if (text === "") return undefined;
      const failure = { tool: clip(tool, 80), target: clip(redact(target), TARGET_LENGTH), text, entryId };
      errors.set(key, { ...failure, open: true });
      return failure;
    },
    succeeded(tool, target) {
      const key = `${target === "" ? tool : ""}\n${target}`;
      const error = errors.get(key);
      if (error !== undefined) errors.set(key, { ...error, open: false });
    },
    facts: () => [...errors.values()].reverse(),
  };
}
