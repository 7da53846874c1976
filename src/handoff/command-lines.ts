// Lines of commands: those that fail with why, the others with how they ended. What only looked is counted.

import { oneLine, plural } from "../base/text.ts";
import { code } from "./facts/clip.ts";
import type { CommandFact, Facts } from "./facts/facts.ts";
import { denseLines, type Line, line } from "./line.ts";

/** How long a command may be in a list. */
const COMMAND_SHOWN = 62;
/** How many of those that do not fail stand on lines of their own in the sections. */
const IN_FULL = 4;
/** Of the ones before these a request of the user says more. */
const MOST_WANTED = 16;
/** Of those after them, how many stand on a line, and on how many lines. */
const IN_A_LINE = 3;
const MOST_DENSE = 12;
/** Behind all that says what was done: what was looked for and is not there, and how much was looked at. */
const NO_MATCH_SCORE = 30;
const LOOKED_SCORE = 60;

/** Below this budget the evidence repeats nothing, and the ids of the first and the last of a line have to do. */
const EACH_ID_FROM = 2000;

/** Commands that do not fail, the most telling first. `budget` is the document's, in tokens. */
export function commandLines(
  facts: Pick<Facts, "commands" | "failing" | "cwd">,
  budget: number,
): readonly Line[] {
  const others = facts.commands.slice(facts.failing.length);
  const did = others.filter((fact) => fact.looks !== true && fact.noMatch !== true);
  const show = (fact: CommandFact) => code(shortCommand(fact.command, facts.cwd));
  return [
    ...did.map((fact, index) =>
      line(
        {
          place: index < IN_FULL ? "context" : undefined,
          group: "Commands",
          score: 89 - 1.1 * index - 1.5 * Math.max(0, index - MOST_WANTED),
        },
        `${show(fact)} → ${statusText(fact)}`,
        fact.entryId,
      ),
    ),
    ...denseCommands(did.slice(IN_FULL, IN_FULL + IN_A_LINE * MOST_DENSE), show, budget),
    ...others
      .filter((fact) => fact.noMatch === true)
      .map((fact, index) =>
        line(
          { place: undefined, group: "Commands", score: NO_MATCH_SCORE - index / 2 },
          `${show(fact)} → ${statusText(fact)}`,
          fact.entryId,
        ),
      ),
    ...lookedLines(others.filter((fact) => fact.looks === true)),
  ];
}

/** Several on a line: what stands here is not told again. */
function denseCommands(
  facts: readonly CommandFact[],
  show: (fact: CommandFact) => string,
  budget: number,
): readonly Line[] {
  const tell = (fact: CommandFact) => `${show(fact)} ${statusText(fact)}`;
  const eachId = budget >= EACH_ID_FROM;
  return denseLines(facts, {
    perLine: IN_A_LINE,
    eachId,
    where: (index) => ({ place: "context", group: undefined, score: 89 - 0.6 * (IN_FULL + index) }),
    text: (some) =>
      `Before that: ${some.map((fact) => (eachId ? `${tell(fact)} [${fact.entryId}]` : tell(fact))).join("; ")}`,
  });
}

/** `57 commands that only looked: grep 40, ls 17`. */
function lookedLines(looked: readonly CommandFact[]): readonly Line[] {
  const [newest] = looked;
  if (newest === undefined) return [];
  const counts = new Map<string, number>();
  for (const { command } of looked) {
    const program = /^(?:cd \S+ ?(?:&&|;) ?)?(git \S+|\S+)/.exec(command)?.[1] ?? command;
    counts.set(program, (counts.get(program) ?? 0) + 1);
  }
  const programs = [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, 6)
    .map(([program, count]) => `${oneLine(program, 20)} ${count}`)
    .join(", ");
  const text = `${plural(looked.length, "command")} that only looked: ${programs}; the last`;
  return [
    line(
      { place: undefined, group: "Commands", score: LOOKED_SCORE, facts: looked.length },
      text,
      newest.entryId,
    ),
  ];
}

/** An error that stands above already is not written again. */
export function failingLines({ failing, cwd }: Pick<Facts, "failing" | "cwd">): readonly Line[] {
  const told = new Set<string>();
  return failing.map((fact, index) => {
    const error = oneLine(fact.error ?? "", index < 3 ? 170 : 100);
    const why = error === "" ? "" : told.has(error) ? ": the same error" : `: ${error}`;
    told.add(error);
    return line(
      {
        place: "context",
        group: "Failing commands",
        score: 97 - 2.5 * index - (fact.stale === true ? 25 : Math.min(20, fact.age * 0.4)),
      },
      `${code(shortCommand(fact.command, cwd))} → ${statusText(fact)}${agoText(fact)}${why}`,
      fact.entryId,
    );
  });
}

/** What happened so few commands ago is now. */
const NOW = 4;

/** `, 66 commands ago`; nothing of what came last. */
export function agoText({ age }: CommandFact): string {
  return age > NOW ? `, ${age} commands ago` : "";
}

/** Status 0 of something that failed is that of what stands behind it in the line. */
function exitText(exitCode: number | null): string {
  if (exitCode === null) return "";
  return exitCode === 0 ? " by its output, exit 0" : `, exit ${exitCode}`;
}

function statusText(fact: CommandFact): string {
  const runs = fact.runs > 1 ? ` (${fact.runs} runs)` : "";
  switch (fact.status) {
    case "ok":
      return `ok${runs}`;
    case "failed":
      if (fact.noMatch === true) return `no match, exit 1${runs}`;
      return `failed${exitText(fact.exitCode)}${fact.laterOk ? ", later ok" : ""}${runs}`;
    case "interrupted":
      return `interrupted${runs}`;
    case "unknown":
      return `no result${runs}`;
  }
}

/**
 * Recognisable by its first 60 characters, a space at their end included; after a change of directory, by 40 more. One
 * to the session's own directory is left out.
 */
export function shortCommand(command: string, cwd: string): string {
  const change = /^cd (\S+?)\/? ?(?:&&|;) ?/.exec(command);
  const isOwn = change !== null && change[1] === cwd;
  const shown = isOwn ? command.slice(change[0].length) : command;
  const prefix = isOwn ? 0 : (change?.[0].length ?? 0);
  return oneLine(shown, Math.max(COMMAND_SHOWN, Math.min(prefix, 60) + 42) + 1);
}
