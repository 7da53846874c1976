// When two command lines are the same thing run again: `npm test`, `cd app && npm test 2>&1 | tail -5`. The key leaves
// out what only shapes the output, so that a failure is known to be mended by a later run that was written otherwise.

import { CHECK_PROGRAM, CHECK_WORD, FILTERS, SEARCHES, WRAPPERS } from "./command-words.ts";
import { parseCommandLine, type SimpleCommand } from "./shell-words.ts";

export interface CommandKey {
  /** The exit status is that of a filter behind a pipe, not of the program. */
  readonly piped: boolean;
  /** Exit status 1 of it is an answer ("none found", "they differ"), not a failure. */
  readonly search: boolean;
  /** A test, a build, a lint, a commit: what the next one wants to know the last status of. */
  readonly check: boolean;
  /** What a run of it proves when it goes well. */
  readonly proves: readonly string[];
  /** A later run that proves one of these covers it: it is the same, or for checks more (`bun test` for `bun test a.ts`). */
  readonly coveredBy: readonly string[];
}

/** What a command line is, for comparing runs. `cwd` is the session's directory. */
export function commandKey(line: string, cwd: string): CommandKey {
  const parsed = parseCommandLine(line);
  const commands = mainCommands(parsed).map((command) => plainWords(command.words));
  const checks = commands.filter(isCheck);
  const last = checks.at(-1);
  const directory = directoryOf(parsed, cwd);
  const whole = `= ${commands.map((words) => words.join(" ")).join(" ; ")}`;
  const inDirectory = (place: string, what: string) => `${place}\n${what}`;
  // Agents whose shell keeps its directory say it once: a run that names none counts for every directory.
  const places = directory === "" ? [""] : [directory, ""];
  const covering = last === undefined ? [whole] : [whole, ...beginnings(last)];
  return {
    piped: endsInFilter(parsed, line),
    search: SEARCHES.has(programOf(parsed.at(-1)?.words ?? [])) || isQuestion(commands.at(-1) ?? []),
    check: last !== undefined,
    proves: [whole, ...checks.map(checkName)].map((what) => inDirectory(directory, what)),
    coveredBy: places.flatMap((place) => covering.map((what) => inDirectory(place, what))),
  };
}

/** What a check checks: its words without options; of git, the subcommand alone. */
function checkName(words: readonly string[]): string {
  const plain = words.filter((word) => !word.startsWith("-"));
  return (plain[0] === "git" ? plain.slice(0, 2) : plain).join(" ");
}

/** The names of all checks that check as much or more. */
function beginnings(words: readonly string[]): readonly string[] {
  const names = checkName(words).split(" ");
  if (names[0] === "git") return [names.join(" ")];
  return names.map((_, index) => names.slice(0, index + 1).join(" "));
}

/** What shapes or prepares, and is not itself the thing run. */
const PREPARATIONS = new Set([
  "cd",
  "set",
  "export",
  "source",
  ".",
  "echo",
  "printf",
  "sleep",
  "true",
  "pwd",
  "clear",
  "",
]);

function mainCommands(commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const main = commands.filter((command, index) => {
    const program = command.words[0] ?? "";
    if (index > 0 && commands[index - 1]?.separator === "|" && FILTERS.has(program)) return false;
    return !PREPARATIONS.has(program);
  });
  return main.length > 0 ? main : commands;
}

function endsInFilter(commands: readonly SimpleCommand[], line: string): boolean {
  return commands.at(-2)?.separator.replace("&", "") === "|" && !/\bpipefail\b|PIPESTATUS/.test(line);
}

function directoryOf(commands: readonly SimpleCommand[], cwd: string): string {
  const words = commands[0]?.words ?? [];
  const target = words[0] === "cd" ? (words[1] ?? "") : "";
  const bare = target.replace(/^\.\//, "").replace(/\/+$/, "");
  if (bare === "" || bare === "." || bare === cwd) return "";
  return bare.startsWith(`${cwd}/`) ? bare.slice(cwd.length + 1) : bare;
}

/** Without `time`, `timeout 30`, `npx`, `sudo`; `npm run test` is `npm test`. */
function plainWords(words: readonly string[]): readonly string[] {
  let rest = words;
  while (rest.length > 1 && WRAPPERS.has(rest[0] ?? "")) {
    rest = rest.slice(1);
    while (rest.length > 1 && /^(?:-|\d+[smh]?$|\w+=)/.test(rest[0] ?? "")) rest = rest.slice(1);
  }
  if (/^(?:npm|pnpm|yarn|bun)$/.test(rest[0] ?? "") && rest[1] === "run" && rest[2] !== undefined) {
    rest = [rest[0] ?? "", ...rest.slice(2)];
  }
  return rest.filter((word) => word !== "2>&1");
}

function programOf(words: readonly string[]): string {
  return (plainWords(words)[0] ?? "").replace(/^.*\//, "");
}

/** `git diff --quiet`, `git grep`: a status of 1 answers a question. */
function isQuestion(words: readonly string[]): boolean {
  if (words[0] !== "git") return false;
  return ["grep", "diff", "config", "check-ignore", "merge-base", "ls-files"].includes(words[1] ?? "");
}

function isCheck(words: readonly string[]): boolean {
  const program = (words[0] ?? "").replace(/^.*\//, "");
  if (CHECK_PROGRAM.test(program)) return true;
  return words.slice(1, 4).some((word) => CHECK_WORD.test(word.replace(/^.*[:/]/, "")));
}
