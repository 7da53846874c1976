// From an accepted command line to what the shell is given: programs by the file that PATH means now, words quoted as
// they were understood, and redirections to files that are already open and checked.

import * as fs from "node:fs";
import { basename, isAbsolute, resolve } from "node:path";
import { openFile } from "./files/open.ts";
import { openForAppending } from "./files/write.ts";
import { realPathOf } from "./permissions/build.ts";
import { isDenied, programOf } from "./permissions/command.ts";
import { covers } from "./permissions/decide.ts";
import { DeniedError, type NameGrant } from "./permissions/permissions.ts";
import type { Redirect, ShellLine, SimpleCommand } from "./permissions/shell-line.ts";
import { quote, renderWord } from "./permissions/shell-word.ts";
import { untrustedPlaces } from "./process/environment.ts";
import { findInPath } from "./process/find-program.ts";
import { bareRepository, gitEnvironment, isGit } from "./process/git-environment.ts";
import { readCheck, type Workspace, writeCheck } from "./workspace.ts";

/** `descriptors` are the shell's 3, 4, …; they are closed with the plan. */
export interface CommandPlan extends Disposable {
  readonly script: string;
  /** Variables that the command needs beside the clean ones. */
  readonly environment: Readonly<Record<string, string>>;
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
    if (line.commands.some(isGit)) refuseBareRepository(workspace.realCwd);
    const script = commands
      .map((command, index) => (index === 0 ? command : `${line.joiners[index - 1]} ${command}`))
      .join(" ");
    return { script, environment: gitEnvironment(line), descriptors, [Symbol.dispose]: close };
  } catch (error) {
    close();
    throw error;
  }
}

function refuseBareRepository(cwd: string): void {
  const found = bareRepository(cwd);
  if (found === undefined) return;
  const reason = `git would take ${found} for a repository, whose settings anybody who writes files there decides`;
  throw new DeniedError({ permission: "run", target: "git", reason });
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

/**
 * The program's file. One that the run may write, or that the working directory brings along, is not the one that was
 * allowed by name; one that is denied stays so by whatever link it is called.
 */
function findProgram(name: string, { workspace, path }: Rendering): string {
  const refuse = (reason: string) => new DeniedError({ permission: "run", target: name, reason });
  const found = name.includes("/") ? resolve(workspace.cwd, name) : findInPath(name, path);
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
