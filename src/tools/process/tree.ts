// Finding and ending every process of a command: its group, its session, its descendants, and on Linux also those that
// left all three (a double fork and setsid), by the marker in their environment. What also cleared its environment is
// out of reach; inside the sandbox the kernel ends it with its process namespace.

import * as fs from "node:fs";
import { kill, pid as ownPid } from "node:process";
import { MARKER } from "./environment.ts";

/** `marker` is the value of the marker variable, or the beginning of it; `group` the process group's leader. */
export interface ProcessTree {
  readonly marker: string;
  readonly group: number | undefined;
}

const TERM_GRACE_MS = 500;
const POLL_MS = 25;
/** A tree that forks while it is being ended is scanned again, but not for ever. */
const MAX_ROUNDS = 20;

interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** The processes of the tree that live now, without zombies. Empty where the system has no `/proc`. */
export function findProcesses(tree: ProcessTree): readonly number[] {
  const all = listProcesses();
  const found = new Set(all.filter((facts) => belongs(facts, tree)).map((facts) => facts.pid));
  for (let grown = true; grown; ) {
    grown = false;
    for (const facts of all) {
      if (found.has(facts.pid) || !found.has(facts.parent)) continue;
      found.add(facts.pid);
      grown = true;
    }
  }
  return [...found];
}

function belongs(facts: ProcessFacts, tree: ProcessTree): boolean {
  if (tree.group !== undefined && (facts.group === tree.group || facts.session === tree.group)) return true;
  return environmentOf(facts.pid).includes(`\0${MARKER}=${tree.marker}`);
}

/** Asks the tree to end, then makes it. Resolves when nothing of it is left, or nothing can be done. */
export async function endTree(tree: ProcessTree): Promise<void> {
  if (signalTree(tree, "SIGTERM") === 0 && canFindProcesses()) return;
  for (let waited = 0; waited < TERM_GRACE_MS && isAlive(tree); waited += POLL_MS) await pause();
  for (let round = 0; round < MAX_ROUNDS && isAlive(tree); round++) {
    signalTree(tree, "SIGKILL");
    await pause();
  }
}

/** Ends the tree at once, for the end of this process. */
export function killTree(tree: ProcessTree): void {
  for (let round = 0; round < 3 && signalTree(tree, "SIGKILL") > 0; round++);
}

function isAlive(tree: ProcessTree): boolean {
  if (canFindProcesses()) return findProcesses(tree).length > 0;
  return tree.group !== undefined && send(-tree.group, 0);
}

/** Signals the group first, because that is one step for all who stayed in it. Gives how many were found. */
function signalTree(tree: ProcessTree, signal: "SIGTERM" | "SIGKILL"): number {
  const found = findProcesses(tree);
  if (tree.group !== undefined) send(-tree.group, signal);
  for (const pid of found) send(pid, signal);
  return found.length;
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return kill(pid, signal);
  } catch {
    return false;
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** Whether the system has a `/proc` to find processes in. */
export function canFindProcesses(): boolean {
  return fs.existsSync("/proc/self/stat");
}

function listProcesses(): readonly ProcessFacts[] {
  if (!canFindProcesses()) return [];
  return fs.readdirSync("/proc").flatMap((name) => {
    const facts = /^\d+$/.test(name) && Number(name) !== ownPid ? factsOf(name) : undefined;
    return facts === undefined ? [] : [facts];
  });
}

/** `/proc/<pid>/stat`: pid (name) state parent group session …; the name may hold anything. */
function factsOf(pid: string): ProcessFacts | undefined {
  const text = readProc(`/proc/${pid}/stat`);
  const [state, parent, group, session] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  if (state === undefined || state === "Z" || state === "X" || session === undefined) return undefined;
  return { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(session) };
}

/** Begins with a NUL, so that every variable does. Empty for a process of another user. */
function environmentOf(pid: number): string {
  return `\0${readProc(`/proc/${pid}/environ`)}`;
}

function readProc(path: string): string {
  try {
    return fs.readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
