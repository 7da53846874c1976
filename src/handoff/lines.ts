// The lines that facts make, each with its place in the document, its group in the evidence, and how much the next one
// needs it. A line ends in the id of the entry that it rests on. Which lines are kept is decided elsewhere.

import { oneLine, plural } from "../base/text.ts";
import { code, quote } from "./facts/clip.ts";
import { isChanged } from "./facts/collect-files.ts";
import type {
  CallFact,
  CommandFact,
  ErrorFact,
  Facts,
  FileFact,
  RequestFact,
  TaskFact,
} from "./facts/facts.ts";

/** Where a line stands in the document. */
export type Place =
  | "goal"
  | "constraints"
  | "done"
  | "inProgress"
  | "pending"
  | "decisions"
  | "context"
  | "next";

/** Groups of the evidence, in the order in which they are printed. */
export const EVIDENCE_GROUPS = [
  "Failing commands",
  "Open errors",
  "Tests",
  "Files changed",
  "Commands",
  "Tool calls",
  "Tasks",
  "User constraints",
  "User requests",
  "Commits",
  "Decisions",
  "Git",
  "Earlier work",
  "Last answer",
  "Files read",
] as const;

export type EvidenceGroup = (typeof EVIDENCE_GROUPS)[number];

export interface Line {
  /** Undefined: only in the evidence. */
  readonly place: Place | undefined;
  /** Undefined: only in the sections. */
  readonly group: EvidenceGroup | undefined;
  /** Higher is needed more. */
  readonly score: number;
  readonly text: string;
}

/** How long a command may be in a list. */
const COMMAND_SHOWN = 62;

/** All lines of all facts, the most needed of each kind first. */
export function factLines(facts: Facts): readonly Line[] {
  return [
    ...requestLines(facts.requests),
    ...failingLines(facts.failing),
    ...errorLines(facts.errors),
    ...facts.tests.map((fact, index) =>
      line(
        { place: index === 0 ? "context" : undefined, group: "Tests", score: 92 - 12 * index },
        `${index === 0 ? "Tests: " : ""}${fact.summary} (${code(shortCommand(fact.command))})`,
        fact.entryId,
      ),
    ),
    ...taskLines(facts.tasks),
    ...facts.constraints.map((fact, index) =>
      line(
        {
          place: "constraints",
          group: "User constraints",
          score: (fact.weight === 2 ? 93 : 84) - 2.4 * index,
        },
        quote(oneLine(fact.text, 180)),
        fact.entryId,
      ),
    ),
    ...fileLines(facts.files),
    ...commandLines(facts),
    ...callLines(facts.calls),
    ...facts.commits.map((fact, index) =>
      line(
        { place: "done", group: "Commits", score: 82 - 7 * index },
        `Commit ${fact.hash} ${quote(fact.subject)}`,
        fact.entryId,
      ),
    ),
    ...facts.decisions.map((fact, index) =>
      line(
        { place: "decisions", group: "Decisions", score: 70 + 4 * fact.weight - 4 * index },
        quote(fact.text),
        fact.entryId,
      ),
    ),
    ...gitLines(facts),
  ];
}

function line(where: Omit<Line, "text">, text: string, entryId: string | null): Line {
  return { ...where, text: entryId === null ? text : `${text} [${entryId}]` };
}

function requestLines(requests: readonly RequestFact[]): readonly Line[] {
  return requests
    .map((request, index): Line => {
      const age = requests.length - 1 - index;
      const note =
        request.supersededBy !== undefined
          ? ` (superseded by [${request.supersededBy}])`
          : request.interrupted
            ? " (interrupted before anything was done)"
            : "";
      return line(
        { place: undefined, group: "User requests", score: 74 - 2 * age },
        `${quote(oneLine(request.text, 300))}${note}`,
        request.entryId,
      );
    })
    .reverse();
}

function errorLines(errors: readonly ErrorFact[]): readonly Line[] {
  return errors
    .filter((error) => error.open)
    .map((error, index) => {
      const target = error.target === "" ? "" : ` ${code(error.target)}`;
      return line(
        { place: "context", group: "Open errors", score: 88 - 6 * index },
        `${error.tool}${target} failed: ${oneLine(error.text, 200)}`,
        error.entryId,
      );
    });
}

const TASK_PLACES = {
  done: "done",
  inProgress: "inProgress",
  pending: "pending",
  cancelled: undefined,
} as const;
const TASK_SCORES = { done: 86, inProgress: 96, pending: 94, cancelled: 60 } as const;
const TASK_MARKS = { done: "[x]", inProgress: "[~]", pending: "[ ]", cancelled: "[-]" } as const;
/** Finished tasks that one entry told stand on a line together: they are looked at least. */
const DONE_IN_A_LINE = 4;

function taskLines(tasks: readonly TaskFact[]): readonly Line[] {
  const seen = { done: 0, inProgress: 0, pending: 0, cancelled: 0 };
  return taskGroups(tasks).flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { state, entryId } = first;
    const rank = seen[state];
    seen[state] += group.length;
    const text = group.map((task) => `${TASK_MARKS[state]} ${task.text}`).join("; ");
    const place = TASK_PLACES[state];
    return [line({ place, group: "Tasks", score: TASK_SCORES[state] - 0.8 * rank }, text, entryId)];
  });
}

function taskGroups(tasks: readonly TaskFact[]): readonly (readonly TaskFact[])[] {
  const groups: TaskFact[][] = [];
  for (const task of tasks) {
    const last = groups.at(-1);
    const joins = last?.[0]?.state === "done" && task.state === "done" && last[0].entryId === task.entryId;
    if (last !== undefined && joins && last.length < DONE_IN_A_LINE) last.push(task);
    else groups.push([task]);
  }
  return groups;
}

function fileLines(files: readonly FileFact[]): readonly Line[] {
  const changed = files.filter(isChanged);
  const read = files.filter((file) => !isChanged(file));
  return [
    ...changed.map((file, index) =>
      line(
        { place: "done", group: "Files changed", score: 92 - 0.9 * index },
        `${code(file.path)} ${changeText(file)}`,
        file.entryId,
      ),
    ),
    ...read.map((file, index) =>
      line(
        { place: undefined, group: "Files read", score: 52 - 0.5 * index },
        `${code(file.path)}${file.reads > 1 ? ` ${file.reads} times` : ""}`,
        file.entryId,
      ),
    ),
  ];
}

function changeText(file: FileFact): string {
  const parts = [
    ...(file.writes > 0 ? [file.writes > 1 ? `written ${file.writes} times` : "written"] : []),
    ...(file.edits > 0 ? [plural(file.edits, "edit")] : []),
    ...(file.deleted ? ["deleted"] : []),
  ];
  return parts.join(", ");
}

function commandLines(facts: Facts): readonly Line[] {
  return facts.commands
    .slice(facts.failing.length)
    .map((fact, index) =>
      line(
        { place: "context", group: "Commands", score: 89 - 1.1 * index },
        `${code(shortCommand(fact.command))} → ${statusText(fact)}`,
        fact.entryId,
      ),
    );
}

function callLines(calls: readonly CallFact[]): readonly Line[] {
  return calls.map((call, index) => {
    const purpose = call.purpose === "" ? "" : ` ${quote(oneLine(call.purpose, 90))}`;
    const runs = call.runs > 1 ? ` (${call.runs} times)` : "";
    return line(
      { place: "context", group: "Tool calls", score: 70 - 1.2 * index },
      `${call.tool}${purpose} → ${call.ok ? "ok" : "failed"}${runs}`,
      call.entryId,
    );
  });
}

/** An error that stands above already is not written again. */
function failingLines(failing: readonly CommandFact[]): readonly Line[] {
  const told = new Set<string>();
  return failing.map((fact, index) => {
    const error = oneLine(fact.error ?? "", index < 3 ? 170 : 100);
    const why = error === "" ? "" : told.has(error) ? ": the same error" : `: ${error}`;
    told.add(error);
    return line(
      {
        place: "context",
        group: "Failing commands",
        score: 97 - 2.5 * index - Math.min(25, fact.age * 0.4),
      },
      `${code(shortCommand(fact.command))} → ${statusText(fact)}${why}`,
      fact.entryId,
    );
  });
}

/** Status 0 of something that failed is that of the filter behind it. */
function exitText(exitCode: number | null): string {
  if (exitCode === null) return "";
  return exitCode === 0 ? " behind a pipe, exit 0" : `, exit ${exitCode}`;
}

function statusText(fact: CommandFact): string {
  const runs = fact.runs > 1 ? ` (${fact.runs} runs)` : "";
  switch (fact.status) {
    case "ok":
      return `ok${runs}`;
    case "failed":
      return `failed${exitText(fact.exitCode)}${fact.laterOk ? ", later ok" : ""}${runs}`;
    case "interrupted":
      return `interrupted${runs}`;
    case "unknown":
      return `no result${runs}`;
  }
}

/** Recognisable by its first 60 characters, a space at their end included; after a change of directory, by 40 more. */
export function shortCommand(command: string): string {
  const prefix = /^cd \S+ ?(?:&&|;) ?/.exec(command)?.[0].length ?? 0;
  return oneLine(command, Math.max(COMMAND_SHOWN, Math.min(prefix, 60) + 42) + 1);
}

function gitLines(facts: Facts): readonly Line[] {
  const { branch, commit, entryId } = facts.git;
  if (branch === null && commit === null) return [];
  const parts = [
    ...(branch === null ? [] : [`branch ${code(branch)}`]),
    ...(commit === null ? [] : [`commit ${commit}`]),
  ];
  return [line({ place: "context", group: "Git", score: 83 }, `Git: ${parts.join(", ")}`, entryId)];
}
