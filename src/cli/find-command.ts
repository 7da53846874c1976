// From the words of a command line to a row of the table of commands.

import { AppError } from "../base/errors.ts";
import { COMMANDS, type CommandRow } from "./commands.ts";
import { nearestWord } from "./flags.ts";
import { GLOBAL_FLAGS } from "./global-flags.ts";
import { asksFor } from "./words.ts";

export interface FoundCommand {
  readonly row: CommandRow;
  /** The command line without the command's own words. */
  readonly rest: readonly string[];
}

/**
 * Finds the command's one or two words among global flags that may stand before or between them. `undefined`: none was
 * given, or help on a group. Throws `AppError` (`usage`) for a word that is no command.
 */
export async function findCommand(argv: readonly string[]): Promise<FoundCommand | undefined> {
  const words = commandWords(argv);
  const [first, second] = words;
  if (first === undefined) return undefined;
  const word = argv[first] ?? "";
  const take = (row: CommandRow, used: readonly number[]): FoundCommand => ({
    row,
    rest: argv.filter((_, index) => !used.includes(index)),
  });
  const single = COMMANDS.find((row) => row.name === word);
  if (single !== undefined) return take(single, [first]);
  const group = COMMANDS.filter((row) => row.name.startsWith(`${word} `));
  if (group.length === 0) {
    if (word === "help") return undefined;
    throw await unknownCommand(word, [...new Set(COMMANDS.map((row) => row.name.split(" ")[0] ?? ""))]);
  }
  const sub = second === undefined ? undefined : argv[second];
  const row = group.find((candidate) => candidate.name === `${word} ${sub}`);
  if (row !== undefined && second !== undefined) return take(row, [first, second]);
  if (sub === undefined && asksFor(argv, ["--help", "-h"])) return undefined;
  const names = group.map((candidate) => candidate.name.slice(word.length + 1));
  if (sub !== undefined)
    throw await unknownCommand(
      `${word} ${sub}`,
      names.map((name) => `${word} ${name}`),
    );
  throw new AppError("usage", `"${word}" needs one of: ${names.join(", ")}`);
}

/** Indices of the first two words that are neither flags nor values of global flags. */
function commandWords(argv: readonly string[]): readonly number[] {
  const found: number[] = [];
  for (let index = 0; index < argv.length && found.length < 2; index++) {
    const word = argv[index] ?? "";
    if (word === "--") break;
    if (!word.startsWith("-") || word === "-") {
      found.push(index);
      continue;
    }
    const spec = GLOBAL_FLAGS.find((flag) => word === `--${flag.name}`);
    if (spec !== undefined && spec.value.kind !== "switch") index += 1;
    else if (spec === undefined && found.length === 1) break;
  }
  return found;
}

async function unknownCommand(word: string, known: readonly string[]): Promise<AppError> {
  const nearest = await nearestWord(word, [...known, "version"]);
  const meant = nearest === "version" ? "--version" : nearest;
  const hint = meant === undefined ? "agent --help lists the commands." : `Did you mean "agent ${meant}"?`;
  return new AppError("usage", `unknown command "${word}"`, { hint });
}
