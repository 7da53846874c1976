// Every problem that a reader of session files can report: a stable code, how bad it is, and what to do about it.

import type { SessionProblem } from "./entry.ts";

interface ProblemKind {
  readonly severity: "error" | "warning";
  readonly advice: string;
}

/** Codes are part of the contract of `session check`: they stay, and never change meaning. */
const KINDS = {
  "empty-file": { severity: "error", advice: "The file holds no session; delete it." },
  "no-header": {
    severity: "error",
    advice: "agent session convert FILE --into NEW writes a copy with a header.",
  },
  "header-not-first": {
    severity: "warning",
    advice: "agent session convert FILE --into NEW writes a copy with the header first.",
  },
  "extra-header": {
    severity: "warning",
    advice: "Two sessions were joined in one file; split it at this line if that was not meant.",
  },
  "unknown-version": {
    severity: "warning",
    advice: "A newer program wrote this file; what this one knows is read.",
  },
  "not-json": {
    severity: "error",
    advice: "The line is left out; restore it from a copy, or delete it.",
  },
  "torn-line": {
    severity: "error",
    advice: "A writer was stopped in the middle of this line; what came before it is whole.",
  },
  "too-deep": { severity: "error", advice: "The line is left out; no program writes such values." },
  "not-object": { severity: "error", advice: "The line is left out; delete it." },
  "bad-utf8": {
    severity: "warning",
    advice: "Bytes that are not UTF-8 read as U+FFFD; restore the line from a copy if it matters.",
  },
  "nul-bytes": {
    severity: "warning",
    advice: "They are skipped; a crash or a full disk leaves such bytes.",
  },
  "several-objects": { severity: "warning", advice: "All of them are read." },
  "bad-value": {
    severity: "warning",
    advice: "The value is left out or kept as text; the rest of the line is read.",
  },
  "late-update": {
    severity: "warning",
    advice: "The message as it was first written is kept.",
  },
  "no-type": { severity: "error", advice: "The line is left out; delete it, or give it a type." },
  "no-id": {
    severity: "warning",
    advice: "The entry got an id derived from its line; convert the file to make it lasting.",
  },
  "no-parent": {
    severity: "warning",
    advice: "The entry before it in the file is taken as its parent.",
  },
  "no-timestamp": {
    severity: "warning",
    advice: "The time of the session's header is taken; for a header, the beginning of 1970.",
  },
  "missing-field": {
    severity: "error",
    advice: "The entry is kept as it is, but is not in the model's context.",
  },
  "missing-parent": {
    severity: "error",
    advice: "The entry before it in the file is taken as its parent.",
  },
  "later-parent": {
    severity: "warning",
    advice: "A parent should stand earlier in the file; the link is followed all the same.",
  },
  cycle: { severity: "error", advice: "The walk goes on at the entry before the cycle in the file." },
  "reused-id": {
    severity: "error",
    advice: "Both entries are kept; a later parentId means the nearest one before it.",
  },
  "first-kept-missing": {
    severity: "error",
    advice: "Everything since the compaction before it is kept.",
  },
  "call-without-result": {
    severity: "warning",
    advice: "The run ended before the tool did; a model that goes on from there is told so.",
  },
  "result-without-call": {
    severity: "warning",
    advice: "The result is left out of what the model is sent.",
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof KINDS;

/** A problem at a line (from 1; 0 is the file as a whole). `problem` says what is wrong, in one sentence. */
export function problemAt(line: number, code: ProblemCode, problem: string): SessionProblem {
  const { severity, advice } = KINDS[code];
  return { line, code, severity, problem, advice };
}

/** Every code, for the page that explains them. */
export function problemCodes(): readonly string[] {
  return Object.keys(KINDS);
}
