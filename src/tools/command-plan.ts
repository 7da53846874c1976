// From an accepted command line to what the shell is given: programs by the file that PATH means now, words quoted as
// they were understood, and redirections to files that are already open and checked.

import * as fs from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { openFile } from "./files/open.ts";
import { openForAppending } from "./files/write.ts";
import { realPathOf } from "./permissions/build.ts";
import { programOf } from "./permissions/command.ts";
import { covers } from "./permissions/decide.ts";
import { DeniedError } from "./permissions/permissions.ts";
import {
  quote,
  type Redirect,
  renderWord,
  type ShellLine,
  type SimpleCommand,
} from "./permissions/shell-line.ts";
import { readCheck, type Workspace, writeCheck } from "./workspace.ts";

/** `descriptors` are the shell's 3, 4, …; they are closed with the plan. */
export interface CommandPlan extends Disposable {
  readonly script: string;
  readonly descriptors: readonly number[];
}

/** The shell's first free descriptor. */
const FIRST_DESCRIPTOR = 3;

/** Throws `DeniedError` if a program or a file of the line may not be used. */
export function planCommand(workspace: Workspace, line: ShellLine, path: string): CommandPlan {
  const descriptors: number[] = [];
  const close = () => {
    for (const fd of descriptors.splice(0)) fs.closeSync(fd);
  };
  try {
    const commands = line.commands.map((command) => renderCommand(command, { workspace, path, descriptors }));
    const script = commands
      .map((command, index) => (index === 0 ? command : `${line.joiners[index - 1]} ${command}`))
      .join(" ");
    return { script, descriptors, [Symbol.dispose]: close };
  } catch (error) {
    close();
    throw error;
  }
}

interface Rendering {
  readonly workspace: Workspace;
  readonly path: string;
  readonly descriptors: number[];
}

function renderCommand(command: SimpleCommand, rendering: Rendering): string {
  const program = findProgram(programOf(command), rendering);
  const words = command.words.slice(1).map(renderWord);
  const redirects = command.redirects.map((redirect) => renderRedirect(redirect, rendering));
  return [quote(program), ...words, ...redirects].join(" ");
}

/** The program's file. A program that the run itself may write is not the one that was allowed by name. */
function findProgram(name: string, { workspace, path }: Rendering): string {
  if (name.includes("/")) return resolve(workspace.cwd, name);
  const found = path
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find(isExecutable);
  if (found === undefined)
    throw new DeniedError({ permission: "run", target: name, reason: "there is no such program in PATH" });
  const { write, foldCase } = workspace.permissions;
  if (covers(write, found, foldCase) || covers(write, realPathOf(found), foldCase))
    throw new DeniedError({
      permission: "run",
      target: name,
      reason: `PATH finds it at ${found}, which this run may write; name that path to allow it`,
    });
  return found;
}

function isExecutable(path: string): boolean {
  try {
    fs.accessSync(path, fs.constants.X_OK);
    return fs.statSync(path).isFile();
  } catch {
    return false;
  }
}

function renderRedirect(redirect: Redirect, { workspace, descriptors }: Rendering): string {
  if (redirect.kind === "duplicate") return `${redirect.fd}>&${redirect.from}`;
  const operator = { read: "<", write: ">", append: ">>" }[redirect.kind];
  const head = `${redirect.fd}${operator}`;
  if (redirect.target === "/dev/null") return `${head}/dev/null`;
  const path = isAbsolute(redirect.target) ? redirect.target : resolve(workspace.cwd, redirect.target);
  const file =
    redirect.kind === "read"
      ? openFile(path, readCheck(workspace))
      : openForAppending(path, writeCheck(workspace));
  descriptors.push(file.fd);
  const number = FIRST_DESCRIPTOR + descriptors.length - 1;
  return fs.existsSync("/proc/self/fd") ? `${head}/proc/self/fd/${number}` : `${head}${quote(file.path)}`;
}
