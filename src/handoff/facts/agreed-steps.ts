// Which commands that the user agreed to are still to be run.

import { commandParts } from "./command-key.ts";
import type { AgreedStep } from "./facts.ts";

export interface Agreement {
  /** Command lines, in the order in which they were proposed. */
  readonly commands: readonly string[];
  readonly order: number;
  /** Of the message that proposed them. */
  readonly entryId: string;
}

/** The last run of a command line. */
interface LastRun {
  readonly command: string;
  readonly order: number;
  readonly failed: boolean;
  readonly entryId: string;
}

/** The commands that no run since the agreement did, or that failed when they ran last. */
export function openSteps(
  { commands, order, entryId }: Agreement,
  runs: readonly LastRun[],
): readonly AgreedStep[] {
  const since = runs
    .filter((run) => run.order > order)
    .sort((a, b) => b.order - a.order)
    .map((run) => ({ run, parts: commandParts(run.command) }));
  return commands.flatMap((command): readonly AgreedStep[] => {
    const wanted = commandParts(command);
    const own = since.filter(({ parts }) => wanted.every((part) => parts.some((ran) => isRunOf(ran, part))));
    if (own.some(({ run }) => !run.failed)) return [];
    const [last] = own;
    return last === undefined
      ? [{ command, state: "notRun", entryId }]
      : [{ command, state: "failed", entryId: last.run.entryId }];
  });
}

/** `git push origin main` is a run of `git push`. */
function isRunOf(ran: string, wanted: string): boolean {
  return ran === wanted || ran.startsWith(`${wanted} `);
}
