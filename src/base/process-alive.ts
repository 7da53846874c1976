// Which process a number means: is it running, and is it still the one that was meant (numbers are used again)?

import { readFileSync, readlinkSync } from "node:fs";
import { kill } from "node:process";
import { codeOf } from "./errors.ts";

/** True if a process of this number runs on this machine, whoever owns it. */
export function isProcessAlive(pid: number): boolean {
  try {
    kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

/**
 * When a process started, in the kernel's own clock ticks, as text; two processes of one number never share it within
 * one boot. Undefined where the system has no `/proc`.
 */
export function processStart(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the program's name in brackets and may hold spaces: field 22 is the 20th after it.
  return stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .at(19);
}

/** Names this boot of this machine and this process's pid namespace; empty where the system does not tell. */
export function pidScope(): string {
  const boot = readText("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  try {
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return boot;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
