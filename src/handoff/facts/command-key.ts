// When two command lines are the same thing run again: `npm test`, `cd app && npm test 2>&1 | tail -5`. The key leaves
// out what only shapes the output, so that a failure is known to be mended by a later run that was written otherwise.

import { echoesStatus } from "./command-outcome.ts";
import {
  BUILD_WORD,
  CHECK_PROGRAM,
  CHECK_WORD,
  FILTERS,
  LOOKERS,
  SEARCHES,
  WRAPPERS,
} from "./command-words.ts";
import { parseCommandLine, type SimpleCommand } from "./shell-words.ts";

export interface CommandKey {
  /** The exit status of the line may be that of what follows the check (a filter behind a pipe, `; echo`, `|| true`). */
  readonly masked: boolean;
  /** Exit status 1 of it is an answer ("none found", "they differ"), not a failure. */
  readonly search: boolean;
  /** A test, a build, a lint, a commit: what the next one wants to know the last status of. */
  readonly check: boolean;
  /** It builds or checks types: all of the directory stands or falls with it. */
  readonly builds: boolean;
  /** It only shows what is there. */
  readonly looks: boolean;
  /** It looks for text: exit status 1 says that there was none. */
  readonly greps: boolean;
  /** From the session's directory; empty for that itself. */
  readonly directory: string;
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
  const whole = `= ${bounded(commands.map((words) => words.join(" ")).join(" ; "))}`;
  const inDirectory = (place: string, what: string) => `${place}\n${what}`;
  // Agents whose shell keeps its directory say it once: a run that names none counts for every directory.
  const places = directory === "" ? [""] : [directory, ""];
  const covering = last === undefined ? [whole] : [whole, ...beginnings(last)];
  return {
    masked: isMasked(parsed, line),
    search: isSearch(parsed),
    check: last !== undefined,
    builds: checks.some((words) => words.some((word) => BUILD_WORD.test(word))),
    looks: parsed.length > 0 && parsed.every(onlyShows),
    greps: isGrep(plainWords(parsed.at(-1)?.words ?? [])),
    directory,
    proves: [whole, ...checks.flatMap(provedBy)].map((what) => inDirectory(directory, what)),
    coveredBy: places.flatMap((place) => covering.map((what) => inDirectory(place, what))),
  };
}

/** Longer command lines are compared by their beginning, their end and their length: keys are kept, texts are not. */
const MOST_COMPARED = 1_000;

function bounded(text: string): string {
  if (text.length <= MOST_COMPARED) return text;
  return `${text.slice(0, MOST_COMPARED)} … ${text.slice(-200)} (${text.length})`;
}

/**
 * What a line runs, one text for each of its commands, for finding what was proposed in what was done: without options
 * where it is a check, and without the directory.
 */
export function commandParts(line: string): readonly string[] {
  return mainCommands(parseCommandLine(line)).map((command) => {
    const words = plainWords(command.words);
    return isGit(words, "add", "commit")
      ? words.slice(0, 2).join(" ")
      : isCheck(words)
        ? checkName(words)
        : bounded(words.join(" "));
  });
}

/** What a check checks: its words without options; of a commit, whose message is no part of it, that alone. */
function checkName(words: readonly string[]): string {
  const plain = words.filter((word) => !word.startsWith("-"));
  return bounded((isGit(plain, "commit") ? plain.slice(0, 2) : plain).join(" "));
}

/** Programs that do nothing in particular without a target: `make` is not `make test`. */
const NEEDS_TARGET = /^(?:git|make|ninja|cmake|bazel|gradlew?|mvnw?|terraform|xcodebuild)$/;

/** `git push` says no branch: whichever is pushed later, it went well after all. */
const ANY_TARGET = "*";

function provedBy(words: readonly string[]): readonly string[] {
  const name = checkName(words);
  const [program, verb] = name.split(" ");
  return program === "git" ? [name, `git ${verb} ${ANY_TARGET}`] : [name];
}

/** More words than this name files, and a run of fewer of them is not looked for. */
const MOST_WORDS = 8;

/** The names of all checks that check as much or more. */
function beginnings(words: readonly string[]): readonly string[] {
  const name = checkName(words);
  const names = name.split(" ");
  const least = names.length > 1 && NEEDS_TARGET.test(programOf(names)) ? 1 : 0;
  const more = names.slice(least, MOST_WORDS).map((_, index) => names.slice(0, least + index + 1).join(" "));
  const any = isGit(names) && names.length === 2 ? [`${name} ${ANY_TARGET}`] : [];
  return [...more, name, ...any];
}

function isGit(words: readonly string[], ...verbs: readonly string[]): boolean {
  return words[0] === "git" && (verbs.length === 0 || verbs.includes(words[1] ?? ""));
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

/** Whether something after a check, other than what runs only where the check went well, gives the line its status. */
function isMasked(commands: readonly SimpleCommand[], line: string): boolean {
  const check = commands.findIndex(({ words }) => isCheck(plainWords(words)));
  if (check < 0) return false;
  const piped = !/\bpipefail\b|PIPESTATUS/.test(line);
  const listed = !/\bset -\w*e/.test(line);
  return commands.slice(check, -1).some(({ separator }) => {
    if (separator === "&&") return false;
    return separator.startsWith("|") && separator !== "||" ? piped : listed;
  });
}

/** Whether a status of 1 answers a question: of what the status may come from, all only asks or looks. */
function isSearch(line: readonly SimpleCommand[]): boolean {
  const commands = line.filter((command, at) => at < line.length - 1 || !echoesStatus(command));
  const from = commands
    .slice(0, -1)
    .findLastIndex(({ separator }) => /^(?:;|&|\n)/.test(separator) && separator !== "&&");
  const chain = commands.slice(from + 1);
  const ends = chain.filter(({ separator }, at) => at === chain.length - 1 || !/^\|&?$/.test(separator));
  const last = ends.at(-1)?.words ?? [];
  return asks(last) && ends.every(({ words }) => asks(words) || onlyLooks(words));
}

function asks(words: readonly string[]): boolean {
  return SEARCHES.has(programOf(words)) || isQuestion(plainWords(words));
}

/** Writes nothing, changes nothing, checks nothing. */
function onlyShows(command: SimpleCommand): boolean {
  const words = plainWords(command.words);
  const program = programOf(words);
  if (
    command.redirects.some(
      ({ operator, target }) => operator.includes(">") && !/^(?:&?\d|\/dev\/null)$/.test(target),
    )
  )
    return false;
  if (isGit(words)) return isGit(words, ...GIT_LOOKS);
  if (program === "sed") return !words.some((word) => /^(?:-\w*i|--in-place)/.test(word));
  if (program === "find") return !words.some((word) => /^-(?:delete|exec|execdir|ok|fprint)/.test(word));
  return LOOKERS.has(program);
}

const GIT_LOOKS = [
  "status",
  "log",
  "diff",
  "show",
  "grep",
  "blame",
  "ls-files",
  "rev-parse",
  "describe",
  "shortlog",
  "reflog",
] as const;

function isGrep(words: readonly string[]): boolean {
  return isGit(words, "grep") || /^(?:[ef]?grep|rg|ag|ack)$/.test(programOf(words));
}

/** What shows something, or prepares for what follows. */
function onlyLooks(words: readonly string[]): boolean {
  const program = programOf(words);
  return PREPARATIONS.has(program) || FILTERS.has(program) || isGit(words, "status", "log", "show", "branch");
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
  return isGit(words, "grep", "diff", "config", "check-ignore", "merge-base", "ls-files");
}

function isCheck(words: readonly string[]): boolean {
  const program = (words[0] ?? "").replace(/^.*\//, "");
  if (CHECK_PROGRAM.test(program)) return true;
  return words.slice(1, 4).some((word) => CHECK_WORD.test(word.replace(/^.*[:/]/, "")));
}
