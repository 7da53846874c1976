// Words of the shell that a list of programs need not name: they start nothing, write nothing but their output, and read
// no content of a file. Those that are programs too run as the system's: bash's own `printf -v`, `printf %n` and
// `test -v` set variables, and evaluate what stands in their names.

import type { NameGrant } from "./permissions.ts";
import { type Word, wordText } from "./shell-word.ts";

/** The two that are no files. */
const SHELL_ONLY: ReadonlySet<string> = new Set([":", "exit"]);
const FREE: ReadonlySet<string> = new Set([
  "echo",
  "printf",
  "true",
  "false",
  "pwd",
  "test",
  "[",
  ...SHELL_ONLY,
]);

/** Whether the word passes without being named. One that is named is a program like any other. */
export function isFree(name: string, allow: NameGrant): boolean {
  return allow !== "all" && !allow.includes(name) && FREE.has(name);
}

/** Whether the shell knows the word, and `PATH` does not. */
export function isShellOnly(name: string): boolean {
  return SHELL_ONLY.has(name);
}

/** Whether naming the word in a list is no mistake, although `PATH` does not know it. */
export function isShellWord(name: string): boolean {
  return name === "cd" || FREE.has(name);
}

/** Why the words after a free one are not accepted. */
export function refuseFreeWords(name: string, words: readonly Word[]): string | undefined {
  if (words.some((word) => word.some((part) => part.pattern)))
    return `a pattern after ${name} lists files; quote it if it is meant literally`;
  const texts = words.map(wordText);
  if (name === "exit")
    return texts.length > 1 || texts.some((text) => !/^\d{1,3}$/.test(text))
      ? "exit is accepted with one number"
      : undefined;
  if (name !== "test" && name !== "[") return undefined;
  if (name === "[" && texts.at(-1) !== "]") return "[ has no ] at its end";
  return conditionOf(name, texts) === undefined
    ? `${name} is accepted with one question about one file: test -f path`
    : undefined;
}

/** The file that `test` or `[` asks about: existence is for those to know who may read. */
export function testedPath(name: string, words: readonly Word[]): string | undefined {
  if (name !== "test" && name !== "[") return undefined;
  return conditionOf(name, words.map(wordText));
}

/** The path in `[!] -op path`. */
function conditionOf(name: string, texts: readonly string[]): string | undefined {
  const whole = name === "[" ? texts.slice(0, -1) : texts;
  const [operator = "", path, ...rest] = whole[0] === "!" ? whole.slice(1) : whole;
  return rest.length === 0 && path !== "" && /^-[bcdefgGhkLNOprsSuwx]$/.test(operator) ? path : undefined;
}
