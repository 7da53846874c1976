// Exit codes: the whole design in one table. An error's kind decides its code; the same in every output mode.

import type { ErrorKind } from "../base/errors.ts";

export interface ExitMeaning {
  readonly code: number;
  readonly meaning: string;
}

/** Every code that the program can end with, as the README and `--help` print them. */
export const EXIT_CODES: readonly ExitMeaning[] = [
  { code: 0, meaning: "done" },
  { code: 1, meaning: "failed, for a reason not listed here" },
  { code: 2, meaning: "usage" },
  { code: 3, meaning: "findings" },
  { code: 4, meaning: "nothing to hand off: fewer than two messages" },
  { code: 5, meaning: "cancelled: the model ended without text" },
  { code: 6, meaning: "a limit ended it: turns, time, tokens, repeated identical tool calls" },
  { code: 7, meaning: "stopped by a rule" },
  { code: 65, meaning: "the input is not what it must be, and nothing usable could be read" },
  { code: 66, meaning: "not found: session, file, rule, model" },
  { code: 69, meaning: "the model server cannot be reached, or failed after retries; trying later can help" },
  { code: 70, meaning: "a bug in agent (stack with AGENT_DEBUG=1)" },
  { code: 75, meaning: "the session is in use by another process; trying later can help" },
  { code: 77, meaning: "permission denied, and --fail-on-denied was given" },
  { code: 78, meaning: "the settings are invalid" },
  { code: 129, meaning: "ended by SIGHUP" },
  { code: 130, meaning: "ended by SIGINT" },
  { code: 141, meaning: "the reader of stdout went away" },
  { code: 143, meaning: "ended by SIGTERM" },
];

export const EXIT_OK = 0;
/** `rules check`, `rules test`, `session check` or `handoff --strict` found something. */
export const EXIT_FINDINGS = 3;

const CODE_OF_KIND: Readonly<Record<ErrorKind, number>> = {
  failed: 1,
  usage: 2,
  nothing: 4,
  cancelled: 5,
  limit: 6,
  rule: 7,
  input: 65,
  notFound: 66,
  unavailable: 69,
  bug: 70,
  locked: 75,
  denied: 77,
  settings: 78,
  sighup: 129,
  sigint: 130,
  pipe: 141,
  sigterm: 143,
};

/** The exit code of an error's kind. */
export function exitCodeOf(kind: ErrorKind): number {
  return CODE_OF_KIND[kind];
}

/** Codes that every command can give, whatever it does: 1 if stdout cannot be written, 66 for `--config`. */
export const COMMON_EXIT_CODES: readonly number[] = [0, 1, 2, 66, 70, 78, 129, 130, 141, 143];
