// Files that a command line wrote, moved or removed, where the line says so beyond doubt. A `>` inside a program's text
// names no file; `/dev/null` and places for temporary things are not work.

import { parseCommandLine, type SimpleCommand } from "./shell-words.ts";

export interface ShellChange {
  readonly path: string;
  readonly kind: "write" | "edit" | "delete";
}

/** A program that changes files, or a redirection to something else than `/dev/null`; most commands only look. */
function mayChange(line: string): boolean {
  if (/\b(?:tee|mv|cp|rm|touch|truncate)\b/.test(line)) return true;
  if (/\b(?:sed|perl)\b/.test(line) && /-\w*i|--in-place/.test(line)) return true;
  return line.includes(">") && line.replace(/\d?>&\d|[\d&]?> ?\/dev\/null|=>|->/g, "").includes(">");
}

/** What a command line changed, in order. `sed -i`, `tee`, redirections, `mv`, `cp`, `rm`, `touch`, `patch` by heredoc. */
export function shellChanges(line: string): readonly ShellChange[] {
  if (!mayChange(line)) return [];
  const found: ShellChange[] = [];
  /** The directory in each group of `( )` that the command stands in: a group leaves the one outside as it is. */
  const directories = [""];
  for (const command of parseCommandLine(line)) {
    directories.length = Math.min(directories.length, command.depth + 1);
    while (directories.length <= command.depth) directories.push(directories.at(-1) ?? "");
    let directory = directories.at(-1) ?? "";
    if (command.words[0] === "cd") directory = joinPath(directory, command.words[1] ?? "");
    directories[command.depth] = directory;
    for (const change of changesOf(command)) {
      const path = joinPath(directory, change.path);
      if (isPlainPath(change.path) && !isScratch(path)) found.push({ ...change, path });
    }
  }
  return found;
}

function changesOf(command: SimpleCommand): readonly ShellChange[] {
  const redirected = command.redirects.flatMap(({ operator, target }): readonly ShellChange[] => {
    if (!/^(?:>|>>|>\||&>|&>>)$/.test(operator)) return [];
    return [{ path: target, kind: operator.endsWith(">>") ? "edit" : "write" }];
  });
  return [...redirected, ...changesByProgram(command.words)];
}

function changesByProgram(words: readonly string[]): readonly ShellChange[] {
  const [program = "", ...rest] =
    words[0] === "git" && /^(?:mv|rm)$/.test(words[1] ?? "") ? words.slice(1) : words;
  const plain = rest.filter((word) => !word.startsWith("-"));
  const each = (paths: readonly string[], kind: ShellChange["kind"]) => paths.map((path) => ({ path, kind }));
  switch (program.replace(/^.*\//, "")) {
    case "sed":
    case "perl":
      return rest.some((word) => /^-[a-zA-Z]*i/.test(word) || word === "--in-place")
        ? each(editedBySed(rest), "edit")
        : [];
    case "tee":
      return each(plain, rest.includes("-a") ? "edit" : "write");
    case "touch":
    case "truncate":
      return each(plain, "write");
    case "rm":
      return rest.some((word) => /^-\w*[rR]/.test(word)) && plain.some((path) => !/\.\w+$/.test(path))
        ? each(
            plain.filter((path) => /\.\w+$/.test(path)),
            "delete",
          )
        : each(plain, "delete");
    case "mv":
      return plain.length === 2
        ? [...each(plain.slice(0, 1), "delete"), ...each(plain.slice(1), "write")]
        : [];
    case "cp":
      return plain.length === 2 && /\.\w+$/.test(plain[1] ?? "") ? each(plain.slice(1), "write") : [];
    default:
      return [];
  }
}

/** The files of `sed -i 's/a/b/' file…`: what follows the script, unless the script came with `-e`. */
function editedBySed(rest: readonly string[]): readonly string[] {
  const scriptByFlag = rest.some((word) => /^-\w*e$/.test(word) || word.startsWith("--expression"));
  const plain: string[] = [];
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index] ?? "";
    if (/^-\w*[ef]$/.test(word)) index += 1;
    else if (!word.startsWith("-") && word !== "") plain.push(word);
  }
  return scriptByFlag ? plain : plain.slice(1);
}

function joinPath(directory: string, path: string): string {
  if (path.startsWith("/") || path.startsWith("~") || directory === "") return path.replace(/^\.\//, "");
  return `${directory.replace(/\/+$/, "")}/${path.replace(/^\.\//, "")}`;
}

/** No expansion, no glob, no code: a name that stands for one file. */
function isPlainPath(path: string): boolean {
  return (
    path.length > 0 &&
    path.length < 300 &&
    /^[\p{L}\p{N}_.~/@+ -][\p{L}\p{N}_.~/@+,:=[\]() -]*$/u.test(path) &&
    /[\p{L}\p{N}]/u.test(path) &&
    !/^\d$/.test(path) &&
    !/^-/.test(path) &&
    !path.endsWith("/")
  );
}

function isScratch(path: string): boolean {
  return /^\/(?:dev|proc|sys|tmp|var\/tmp|var\/folders|private\/tmp|private\/var\/folders)(?:\/|$)/.test(
    path,
  );
}
