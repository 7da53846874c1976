// Lines of commands: those that fail with why, the others with how they ended.

import { oneLine } from "../base/text.ts";
import { code } from "./facts/clip.ts";
import type { CommandFact, Facts } from "./facts/facts.ts";
import { denseLines, type Line, line } from "./line.ts";

/** How long a command may be in a list. */
const COMMAND_SHOWN = 62;
/** How many of those that do not fail stand on lines of their own in the sections. */
const IN_FULL = 4;

/** Commands that do not fail, the most telling first. */
export function commandLines(facts: Pick<Facts, "commands" | "failing">): readonly Line[] {
  const others = facts.commands.slice(facts.failing.length);
  return [
    ...others.map((fact, index) =>
      line(
        {
          place: index < IN_FULL ? "context" : undefined,
          group: "Commands",
          score: 89 - 1.1 * index,
        },
        `${code(shortCommand(fact.command))} → ${statusText(fact)}`,
        fact.entryId,
      ),
    ),
    ...denseLines(others.slice(IN_FULL), {
      perLine: 3,
      where: (index) => ({ place: "context", group: undefined, score: 89 - 0.6 * (IN_FULL + index) }),
      text: (some) =>
        `Before that: ${some.map((fact) => `${code(shortCommand(fact.command))} ${statusText(fact)}`).join("; ")}`,
    }),
  ];
}

/** An error that stands above already is not written again. */
export function failingLines(failing: readonly CommandFact[]): readonly Line[] {
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
