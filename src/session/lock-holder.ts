// Who holds a lock, as its file says, and whether that process still runs.

import * as fs from "node:fs";
import { codeOf } from "../base/errors.ts";
import { isObject, numberAt, parseJson, stringAt } from "../base/json.ts";
import { isProcessAlive, pidScope, processStart } from "../base/process-alive.ts";

/** The process that wants to write. */
export interface LockOwner {
  readonly pid: number;
  readonly hostname: string;
}

export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** The boot and pid namespace in which the pid means something. */
  readonly scope: string;
  /** When the process started: a younger process of the same number is another one. */
  readonly start: string | undefined;
}

/** A lock file as it stands. */
export interface StandingLock {
  readonly text: string;
  /** When the holder was last heard of, in the file system's time (ms). */
  readonly heard: number;
  /** Undefined for a file that does not say. */
  readonly holder: Holder | undefined;
}

/** What this process writes into its lock. */
export function holderOf(owner: LockOwner): Holder {
  return { pid: owner.pid, host: owner.hostname, scope: pidScope(), start: processStart(owner.pid) };
}

/** The lock at that path; undefined if there is none. */
export function readStandingLock(path: string): StandingLock | undefined {
  try {
    const text = fs.readFileSync(path, "utf8");
    return { text, heard: fs.statSync(path).mtimeMs, holder: decodeHolder(text) };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function decodeHolder(text: string): Holder | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const pid = numberAt(value, "pid");
  const host = stringAt(value, "host");
  if (pid === undefined || host === undefined) return undefined;
  return { pid, host, scope: stringAt(value, "scope") ?? "", start: stringAt(value, "start") };
}

/**
 * `running` or `ended` where the holder is a process that we can look at: of this host, this boot and this pid namespace,
 * on a system that tells when a process started. `unseen` for all others; they are judged by their heartbeat.
 */
export function stateOf(holder: Holder | undefined, owner: LockOwner): "running" | "ended" | "unseen" {
  if (holder === undefined || holder.host !== owner.hostname) return "unseen";
  // Another boot may be an earlier one of this machine, or another machine of the same name.
  if (holder.scope !== pidScope()) return "unseen";
  if (!isProcessAlive(holder.pid)) return "ended";
  const start = processStart(holder.pid);
  if (holder.start === undefined || start === undefined) return "unseen";
  return holder.start === start ? "running" : "ended";
}
