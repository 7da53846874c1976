// Known facts of the fixture sessions, and the share of them that a document keeps. A fact counts only in a form that a
// reader recognises: a path from the root of the repository, a command by its first 60 characters with its last status
// beside it, a quotation by its beginning.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FIXTURES = join(import.meta.dir, "../../fixtures");

export interface KnownFacts {
  readonly files: readonly string[];
  readonly commands: readonly { readonly command: string; readonly status: "ok" | "failed" }[];
  readonly openErrors: readonly string[];
  readonly tasks: readonly { readonly text: string; readonly state: "done" | "inProgress" | "pending" }[];
  readonly constraints: readonly string[];
  readonly lastRequest: string;
  readonly decisions: readonly string[];
  /** Texts that a document must not have: what is mended, injected or no file. */
  readonly absent: readonly string[];
}

/** Names of the sessions that have known facts. */
export function factFixtures(): readonly string[] {
  return readdirSync(join(FIXTURES, "handoff"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .sort();
}

export function fixtureSession(name: string): string {
  return join(FIXTURES, "sessions", `${name}.jsonl`);
}

export function knownFacts(name: string): KnownFacts {
  return JSON.parse(readFileSync(join(FIXTURES, "handoff", `${name}.json`), "utf8"));
}

export interface Share {
  readonly kept: number;
  readonly total: number;
  /** What the document lacks, for a person to look at. */
  readonly missing: readonly string[];
}

/** The share of the facts that a document has. */
export function shareOfFacts(facts: KnownFacts, document: string): Share {
  const lines = document.split("\n").map(fold);
  const whole = lines.join("\n");
  const has = (text: string, length: number) => whole.includes(fold(text).slice(0, length));
  const checks: (readonly [string, boolean])[] = [
    ...facts.files.map((path) => [`file ${path}`, whole.includes(path)] as const),
    ...facts.commands.map(
      (item) => [`command ${item.command} ${item.status}`, hasCommand(lines, item)] as const,
    ),
    ...facts.openErrors.map((text) => [`error ${text}`, has(text, 60)] as const),
    ...facts.tasks.map((task) => [`task ${task.text} ${task.state}`, hasTask(lines, task)] as const),
    ...facts.constraints.map((text) => [`constraint ${text}`, has(text, 80)] as const),
    ...facts.decisions.map((text) => [`decision ${text}`, has(text, 60)] as const),
    [`request ${facts.lastRequest}`, has(facts.lastRequest, 80)],
  ];
  return {
    kept: checks.filter(([, kept]) => kept).length,
    total: checks.length,
    missing: checks.flatMap(([name, kept]) => (kept ? [] : [name])),
  };
}

/** The texts of `absent` that the document has all the same. */
export function falseFacts(facts: KnownFacts, document: string): readonly string[] {
  const whole = fold(document);
  return facts.absent.filter((text) => whole.includes(fold(text)));
}

function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function hasCommand(lines: readonly string[], item: KnownFacts["commands"][number]): boolean {
  const start = fold(item.command).slice(0, 60);
  const status = item.status === "ok" ? /\bok\b|exit 0/ : /fail|exit [1-9]/;
  return lines.some((line) => {
    const at = line.indexOf(start);
    return at >= 0 && status.test(line.slice(at + start.length));
  });
}

function hasTask(lines: readonly string[], task: KnownFacts["tasks"][number]): boolean {
  const mark = { done: /\[x\]|done/i, inProgress: /\[~\]|in progress/i, pending: /\[ \]|pending/i }[
    task.state
  ];
  return lines.some((line) => line.includes(fold(task.text).slice(0, 60)) && mark.test(line));
}

/** The beginning of a text that has at most so many tokens of four bytes. */
export function firstTokens(text: string, tokens: number): string {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, tokens * 4));
}
