// What can be wrong with a rule: stable codes, each with its severity and one line that says what it is about.

import type { Position, Rule, RuleSeverity } from "./rule.ts";

/** Codes never change meaning; a new kind of finding gets a new one. */
export const FINDINGS = {
  R001: { severity: "error", name: "does-not-compile", title: "A condition does not compile." },
  R002: { severity: "error", name: "matches-empty", title: "A condition matches the empty string." },
  R003: { severity: "error", name: "never-fires", title: "The rule can never fire." },
  R004: { severity: "warning", name: "slow-path", title: "A condition needs the slow path." },
  R005: { severity: "warning", name: "fires-on-reminder", title: "The rule fires on its own reminder." },
  R006: { severity: "warning", name: "shadowed", title: "Another rule of this name is in force." },
  R007: { severity: "warning", name: "dead-rule", title: "The rule does nothing." },
  R008: { severity: "warning", name: "unknown-key", title: "A key of the front matter is not known." },
  R009: { severity: "error", name: "example-fails", title: "An example does not do what it must." },
  R010: { severity: "error", name: "empty-body", title: "The rule has no reminder." },
  R011: { severity: "warning", name: "long-body", title: "The reminder is over 2,000 characters long." },
  R012: { severity: "warning", name: "not-yaml", title: "The front matter is not strict YAML." },
  R013: { severity: "warning", name: "bad-value", title: "A key has a value that it cannot have." },
  R014: { severity: "error", name: "unreadable", title: "The file cannot be read." },
  R015: {
    severity: "warning",
    name: "matches-empty-end",
    title: "A condition matches every text at its end.",
  },
  R016: { severity: "warning", name: "unknown-tool", title: "The scope names a tool that there is not." },
  R017: {
    severity: "warning",
    name: "other-dialect",
    title: "A condition has a form of another dialect, which means something else here.",
  },
} as const satisfies Readonly<
  Record<string, { readonly severity: RuleSeverity; readonly name: string; readonly title: string }>
>;

export type FindingCode = keyof typeof FINDINGS;

/** Something wrong in one file. `message` says what in one line, `fix` the way out in another. */
export interface Problem {
  readonly code: FindingCode;
  readonly position: Position;
  readonly message: string;
  readonly fix: string;
}

/** A file that was read: the rule it gives and what reading it found. */
export interface RuleFile {
  readonly rule: Rule;
  readonly problems: readonly Problem[];
}

export const FILE_START: Position = { line: 1, column: 1 };
