// `cd dir &&` at the beginning of a command line: it says where the line runs, and is taken off, never given to the
// shell. So nothing that the line runs can change what the directory means between the check and the use.

import type { ShellLine, SimpleCommand } from "./shell-line.ts";
import { type Word, wordText } from "./shell-word.ts";

/** `directories` as written, each meant from the one before; `line` is what is left, perhaps without any command. */
export type LeadingCd =
  | { readonly ok: true; readonly directories: readonly string[]; readonly line: ShellLine }
  | { readonly ok: false; readonly reason: string };

/** Takes every `cd` off that stands before all other commands. A later one stays in the line. */
export function takeLeadingCd({ commands, joiners }: ShellLine): LeadingCd {
  const directories: string[] = [];
  for (const [index, command] of commands.entries()) {
    const [program = [], ...words] = command.words;
    if (wordText(program) !== "cd") break;
    const joiner = joiners[index];
    const reason = joiner === "|" || joiner === "||" ? FOLLOWED_BY : refuseCd(command, words);
    if (reason !== undefined) return { ok: false, reason };
    directories.push(words.map(wordText).join(""));
  }
  const taken = directories.length;
  return { ok: true, directories, line: { commands: commands.slice(taken), joiners: joiners.slice(taken) } };
}

const FOLLOWED_BY = "cd is accepted before && and ; only";

function refuseCd({ redirects }: SimpleCommand, words: readonly Word[]): string | undefined {
  const [directory = []] = words;
  const literal = wordText(directory);
  if (
    words.length !== 1 ||
    literal === "" ||
    literal.startsWith("-") ||
    directory.some((part) => part.pattern)
  )
    return "cd is accepted with one directory that is written out";
  return redirects.every((redirect) => redirect.kind === "duplicate" || redirect.target === "/dev/null")
    ? undefined
    : "a redirection of cd is not judged";
}
