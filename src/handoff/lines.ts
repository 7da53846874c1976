// The lines that facts make, each with its place in the document, its group in the evidence, and how much the next one
// needs it. A line ends in the id of the entry that it rests on. Which lines are kept is decided elsewhere.

import { oneLine } from "../base/text.ts";
import { commandLines, failingLines, shortCommand } from "./command-lines.ts";
import { code, quote } from "./facts/clip.ts";
import type {
  CallFact,
  ErrorFact,
  Facts,
  IncidentFact,
  QuoteFact,
  RequestFact,
  TaskFact,
} from "./facts/facts.ts";
import { fileLines } from "./file-lines.ts";
import { type Line, line, quotation } from "./line.ts";

/** All lines of all facts, the most needed of each kind first. `budget` is the document's, in tokens. */
export function factLines(facts: Facts, budget: number): readonly Line[] {
  return [
    ...requestLines(facts.requests),
    ...failingLines(facts),
    ...errorLines(facts.errors),
    ...incidentLines(facts),
    ...facts.tests.map((fact, index) =>
      line(
        { place: index === 0 ? "context" : undefined, group: "Tests", score: 92 - 12 * index },
        `${index === 0 ? "Tests: " : ""}${fact.summary} (${code(shortCommand(fact.command, facts.cwd))})`,
        fact.entryId,
      ),
    ),
    ...taskLines(facts.tasks),
    ...constraintLines(facts.constraints),
    ...gitLines(facts),
    ...fileLines(facts.files),
    ...commandLines(facts, budget),
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
        {
          place: "decisions",
          group: "Decisions",
          score: (index === 0 ? 94 : 76) + 4 * Math.min(0, fact.weight - 2) - 3 * index,
        },
        quotation(oneLine(fact.text, 200), fact, { max: 160 }),
        null,
      ),
    ),
  ];
}

/** What one message says stands on a line together up to this length: an id for each would take the room of a rule. */
const CONSTRAINTS_IN_A_LINE = 200;

/** Orders first; of wishes, which are many and pass, the latest few. */
function constraintLines(constraints: readonly QuoteFact[]): readonly Line[] {
  const orders = constraints.filter((fact) => fact.weight === 2).length;
  let index = 0;
  return constraintGroups(constraints).flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const score = index < orders ? 95 - 0.7 * index : 88 - 2 * (index - orders);
    index += group.length;
    const text = group.map((fact) => quote(oneLine(fact.text, 150))).join(" ");
    const where = { place: "constraints", group: "User constraints", score, facts: group.length } as const;
    return [line(where, text, first.entryId)];
  });
}

function constraintGroups(constraints: readonly QuoteFact[]): readonly (readonly QuoteFact[])[] {
  const groups: QuoteFact[][] = [];
  for (const fact of constraints) {
    const last = groups.at(-1);
    const joins = last?.[0]?.entryId === fact.entryId && last[0].weight === fact.weight;
    const length = (last ?? []).reduce((sum, each) => sum + each.text.length + 3, fact.text.length);
    if (last !== undefined && joins && length <= CONSTRAINTS_IN_A_LINE) last.push(fact);
    else groups.push([fact]);
  }
  return groups;
}

/** So many requests are told before what was done for them; the older ones still say more than old commands. */
const RECENT = 20;

/** The latest of those that say the same, which may be a command's whole template. */
function requestLines(all: readonly RequestFact[]): readonly Line[] {
  const latest = new Map(all.map((request) => [request.text, request.entryId]));
  const requests = all.filter((request) => latest.get(request.text) === request.entryId);
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
        {
          place: undefined,
          group: "User requests",
          score: 75 - Math.min(age, RECENT) - 0.3 * Math.max(0, age - RECENT),
        },
        quotation(oneLine(request.text, age < 6 ? 300 : 140), request, { max: 120, note }),
        null,
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

const MOST_RULES = 8;

/** Errors of the model's server, each once, and all rules on one line. */
function incidentLines({ modelErrors, rules, end }: Facts): readonly Line[] {
  const times = ({ times }: IncidentFact) => (times > 1 ? ` ${times} times` : "");
  const errors = modelErrors
    .filter((error) => error.entryId !== end?.entryId || error.times > 1)
    .map((error, index) =>
      line(
        { place: "context", group: "Model errors", score: 79 - 6 * index },
        `A request to the model failed${times(error)}: ${error.text}`,
        error.entryId,
      ),
    );
  const [newest] = rules;
  if (newest === undefined) return errors;
  const names = rules.slice(0, MOST_RULES).map((rule) => `${code(rule.text)}${times(rule)}`);
  const more = rules.length > MOST_RULES ? [`${rules.length - MOST_RULES} more`] : [];
  return [
    ...errors,
    line(
      { place: "context", group: "Rules", score: 78, facts: rules.length },
      `Rules that fired: ${[...names, ...more].join(", ")}`,
      newest.entryId,
    ),
  ];
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

function gitLines(facts: Facts): readonly Line[] {
  const { branch, branchEntryId, commit, entryId } = facts.git;
  if (branch === null && commit === null) return [];
  const own = commit === null || branchEntryId === entryId ? "" : ` [${branchEntryId}]`;
  const parts = [
    ...(branch === null ? [] : [`branch ${code(branch)}${own}`]),
    ...(commit === null ? [] : [`commit ${commit}`]),
  ];
  return [line({ place: "context", group: "Git", score: 83 }, `Git: ${parts.join(", ")}`, entryId)];
}
