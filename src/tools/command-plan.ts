// From an accepted command line to what the shell is given: programs by the file that PATH means now, words quoted as
// they were understood, and redirections to files that are already open and checked.

import * as fs from "node:fs";
import { basename, isAbsolute, resolve } from "node:path";
import { codeOf } from "../base/errors.ts";
import { shellQuote } from "../base/shell-quote.ts";
import { realPathOf } from "../base/stat.ts";
import { isSystemCode, reasonOf } from "../base/system-error.ts";
import { enterDirectory, refuseOtherRepository } from "./command-directory.ts";
import { FileError, openFile } from "./files/open.ts";
import { openForAppending } from "./files/write.ts";
import { isDenied, type Judgement, programOf } from "./permissions/command.ts";
import { covers } from "./permissions/decide.ts";
import { isFree, isShellOnly, testedPath } from "./permissions/free-words.ts";
import { DeniedError, type NameGrant } from "./permissions/permissions.ts";
import type { Redirect, SimpleCommand } from "./permissions/shell-line.ts";
import { renderWord } from "./permissions/shell-word.ts";
import { untrustedPlaces } from "./process/environment.ts";
import { findInPath, findSystemProgram } from "./process/find-program.ts";
import { bareRepository, gitEnvironment, isGit } from "./process/git-environment.ts";
import { readCheck, type Workspace, writeCheck } from "./workspace.ts";

/** `descriptors` are the shell's 3, 4, …; they are closed with the plan. */
export interface CommandPlan extends Disposable {
  readonly script: string;
  /** Where the shell starts. */
  readonly cwd: string;
  /** Variables that the command needs beside the clean ones. */
  readonly environment: Readonly<Record<string, string>>;
  readonly descriptors: readonly number[];
}

/** The shell's first free descriptor. */
const FIRST_DESCRIPTOR = 3;

/** Throws `DeniedError` if a program, a file or the directory of the line may not be used, `FileError` if it is not there. */
export function planCommand(
  workspace: Workspace,
  { line, directories }: Judgement & { readonly ok: true },
  path: string,
): CommandPlan {
  if (line.commands.length === 0) throw new FileError(NOTHING_AFTER_CD);
  const descriptors: number[] = [];
  const close = () => {
    for (const fd of descriptors.splice(0)) fs.closeSync(fd);
  };
  try {
    const cwd = directories.length === 0 ? workspace.realCwd : enterDirectory(workspace, directories);
    const rendering = { workspace, cwd, path, descriptors };
    const commands = line.commands.map((command) => renderCommand(command, rendering));
    // After the redirections, which make files.
    refuseOtherRepository(workspace, cwd);
    if (line.commands.some(isGit)) refuseBareRepository(cwd);
    const script = commands
      .map((command, index) => (index === 0 ? command : `${line.joiners[index - 1]} ${command}`))
      .join(" ");
    return { script, cwd, environment: gitEnvironment(line), descriptors, [Symbol.dispose]: close };
  } catch (error) {
    close();
    throw error;
  }
}

const NOTHING_AFTER_CD =
  "cd alone changes nothing: each command begins in the working directory. Write cd <dir> && and the command in one line";

function refuseBareRepository(cwd: string): void {
  const found = bareRepository(cwd);
  if (found === undefined) return;
  const reason = `git would take ${found} for a repository, whose settings anybody who writes files there decides`;
  throw new DeniedError({ permission: "run", target: "git", reason });
}

interface Rendering {
  readonly workspace: Workspace;
  /** Where the line runs and its relative paths start; a real path. */
  readonly cwd: string;
  readonly path: string;
  readonly descriptors: number[];
}

function renderCommand(command: SimpleCommand, rendering: Rendering): string {
  const name = programOf(command);
  const program = isShellOnly(name) ? name : findProgram(name, rendering);
  const words = command.words.slice(1).map(renderWord);
  demandTested(command, rendering);
  const redirects = command.redirects.map((redirect) => renderRedirect(redirect, rendering));
  return [shellQuote(program), ...words, ...redirects].join(" ");
}

/** What an unnamed `test` asks about must be readable, so that it tells nothing of other places. */
function demandTested(command: SimpleCommand, { workspace, cwd }: Rendering): void {
  const name = programOf(command);
  const free = isFree(name, workspace.permissions.run);
  const tested = free ? testedPath(name, command.words.slice(1)) : undefined;
  if (tested !== undefined) readCheck(workspace)(realPathOf(resolve(cwd, tested)));
}

/**
 * The program's file. One that the run may write, or that the working directory brings along, is not the one that was
 * allowed by name; one that is denied stays so by whatever link it is called.
 */
function findProgram(name: string, { workspace, path, cwd }: Rendering): string {
  const refuse = (reason: string) => new DeniedError({ permission: "run", target: name, reason });
  const { run } = workspace.permissions;
  if (cwd !== workspace.realCwd && run !== "all" && name.includes("/") && !isAbsolute(name))
    throw refuse("it is allowed by a path from the working directory; after cd, give the whole path");
  const find = isFree(name, run) ? findSystemProgram : findInPath;
  const found = name.includes("/") ? resolve(cwd, name) : find(name, path);
  if (found === undefined) throw refuse("there is no such program in PATH");
  const real = realPathOf(found);
  const { denyRun, foldCase } = workspace.permissions;
  const denied = withRealPaths(denyRun, workspace.cwd);
  if ([found, real, basename(real)].some((candidate) => isDenied(denied, candidate)))
    throw refuse("--deny-run covers it");
  if (name.includes("/")) return found;
  const untrusted = untrustedPlaces(workspace);
  if (covers(untrusted, found, foldCase) || covers(untrusted, real, foldCase))
    throw refuse(
      `PATH finds it at ${found}, in the working directory or where this run may write; name that path to allow it`,
    );
  return found;
}

/** A program that is denied by a path is denied under every path that leads to it: `/bin/rm` is `/usr/bin/rm` on many systems. */
function withRealPaths(denied: NameGrant, cwd: string): NameGrant {
  if (denied === "all") return denied;
  const paths = denied.filter((name) => name.includes("/")).map((path) => realPathOf(resolve(cwd, path)));
  return [...denied, ...paths];
}

function renderRedirect(redirect: Redirect, { workspace, cwd, descriptors }: Rendering): string {
  if (redirect.kind === "duplicate") return `${redirect.fd}>&${redirect.from}`;
  const operator = { read: "<", write: ">", append: ">>" }[redirect.kind];
  const head = `${redirect.fd}${operator}`;
  if (redirect.target === "/dev/null") return `${head}/dev/null`;
  const path = isAbsolute(redirect.target) ? redirect.target : resolve(cwd, redirect.target);
  const file = openTarget(redirect.target, () =>
    redirect.kind === "read"
      ? openFile(path, readCheck(workspace))
      : openForAppending(path, writeCheck(workspace)),
  );
  descriptors.push(file.fd);
  const number = FIRST_DESCRIPTOR + descriptors.length - 1;
  return fs.existsSync("/proc/self/fd")
    ? `${head}/proc/self/fd/${number}`
    : `${head}${shellQuote(file.path)}`;
}

/** A failure of the system names no file, and a line may have several. */
function openTarget<T>(target: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const code = codeOf(error);
    throw code !== undefined && isSystemCode(code) ? new FileError(`${target}: ${reasonOf(error)}`) : error;
  }
}
