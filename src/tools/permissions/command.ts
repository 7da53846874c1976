// Judging a command line against lists of programs: accepted is only what is understood whole.

import { isFree, refuseFreeWords } from "./free-words.ts";
import { isShell, launcherReason } from "./launchers.ts";
import { takeLeadingCd } from "./leading-cd.ts";
import type { NameGrant } from "./permissions.ts";
import { refuseArguments } from "./programs.ts";
import { parseShellLine, type ShellLine, type SimpleCommand } from "./shell-line.ts";
import { type Word, wordText } from "./shell-word.ts";

export interface CommandLists {
  readonly allow: NameGrant;
  readonly deny: NameGrant;
}

/**
 * `line` is what the shell is to run, in the last of `directories`, each meant from the one before and all still to be
 * judged. `target` is the program that is refused, or the whole command where none can be named.
 */
export type Judgement =
  | { readonly ok: true; readonly directories: readonly string[]; readonly line: ShellLine }
  | { readonly ok: false; readonly target: string; readonly reason: string };

const DENIED = "--deny-run covers it";

/** Accepts a command line exactly if every program in it is allowed, not denied, and starts no other one by its options. */
export function judgeCommand(command: string, lists: CommandLists): Judgement {
  const parsed = parseShellLine(command);
  if (!parsed.ok) return { ok: false, target: command, reason: parsed.reason };
  const begun = takeLeadingCd(parsed.line);
  if (!begun.ok) return { ok: false, target: "cd", reason: begun.reason };
  if (begun.directories.length > 0 && isDenied(lists.deny, "cd"))
    return { ok: false, target: "cd", reason: DENIED };
  for (const simple of begun.line.commands) {
    const name = programOf(simple);
    const words = simple.words.slice(1);
    const refuse = isFree(name, lists.allow) ? refuseFreeWords : refuseWords;
    const reason = refuseProgram(name, lists) ?? refuse(name, words);
    if (reason !== undefined) return { ok: false, target: name, reason };
  }
  return begun;
}

/** The program as it is called. */
export function programOf(simple: SimpleCommand): string {
  return wordText(simple.words[0] ?? []);
}

function refuseProgram(name: string, lists: CommandLists): string | undefined {
  const base = name.slice(name.lastIndexOf("/") + 1);
  if (base === "") return "it is no program";
  const launcher = launcherReason(base.toLowerCase());
  if (launcher !== undefined) return launcher;
  const { allow, deny } = lists;
  if (isDenied(deny, name) || isDenied(deny, base)) return DENIED;
  if (allow === "all")
    return isShell(base.toLowerCase()) ? `${base} runs whatever it is given, also what is denied` : undefined;
  if (allow.includes(name) || isFree(name, allow)) return undefined;
  if (name.includes("/") && allow.includes(base))
    return `${base} is allowed by name, which means the one in PATH; name this path to allow it`;
  return `it is not one of the allowed programs (${allow.join(", ")})`;
}

/** Case counts for nothing: there are file systems where `GIT` starts `git`. */
export function isDenied(deny: NameGrant, name: string): boolean {
  return deny === "all" || deny.some((denied) => denied.toLowerCase() === name.toLowerCase());
}

/** A pattern must not expand to something that looks like an option or an address. */
function refuseWords(name: string, words: readonly Word[]): string | undefined {
  const loose = words.find(
    (word) =>
      word.some((part) => part.pattern) && !(word[0]?.pattern === false && word[0].text.includes("/")),
  );
  if (loose !== undefined)
    return `the pattern ${wordText(loose)} may stand for anything; begin it with ./ or a directory, or quote it`;
  const base = name.slice(name.lastIndexOf("/") + 1);
  return refuseArguments(base.toLowerCase(), words.map(wordText));
}
