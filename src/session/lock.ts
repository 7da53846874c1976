// One writer a session: a lock file beside it that names its holder. It is made by `link`, so it appears whole or not at
// all; a dead holder's lock is replaced by `rename` while a second lock, the claim, keeps other takers away. Invariant:
// who holds a lock can prove it at any time, because the lock's inode is the one that it made.

import * as fs from "node:fs";
import { clearInterval, setInterval } from "node:timers";
import { AppError, codeOf, messageOf } from "../base/errors.ts";
import { isObject, numberAt, parseJson, stringAt } from "../base/json.ts";
import { isProcessAlive, pidScope, processStart } from "../base/process-alive.ts";

/** The process that wants to write. */
export interface LockOwner {
  readonly pid: number;
  readonly hostname: string;
}

export interface LockOptions {
  readonly owner: LockOwner;
  /** How long to wait for a holder that is alive, in ms. 0: not at all. */
  readonly waitMs: number;
  /** Ends the wait by throwing its reason. */
  readonly signal?: AbortSignal;
}

export interface Lock {
  /** Whether the lock is still ours: false once somebody removed it or took it over. */
  isHeld(): boolean;
  /** Gives it back. Safe to call twice. */
  release(): void;
}

/** A holder on another machine that has not been heard of for this long is taken for gone. */
const SILENT_MS = 60_000;
const HEARTBEAT_MS = 15_000;
const POLL_MS = 50;

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly scope: string;
  readonly start: string | undefined;
}

/**
 * Takes the lock of a session file. Throws `AppError`: `locked`, naming the holder, when it is still held after
 * `waitMs`; `failed` when no lock can be made there.
 */
export async function acquireLock(sessionPath: string, options: LockOptions): Promise<Lock> {
  const path = `${sessionPath}.lock`;
  const deadline = Date.now() + options.waitMs;
  for (;;) {
    options.signal?.throwIfAborted();
    const outcome = tryAcquire(path, options.owner);
    if ("lock" in outcome) return outcome.lock;
    if (Date.now() >= deadline) throw inUse(sessionPath, outcome.holder);
    await new Promise((resolve) => setTimeout(resolve, Math.min(POLL_MS, deadline - Date.now() + 1)));
  }
}

function inUse(sessionPath: string, holder: Holder | undefined): AppError {
  const who = holder === undefined ? "another process" : `process ${holder.pid} on ${holder.host}`;
  return new AppError("locked", `Cannot write to session "${sessionPath}": it is in use by ${who}`, {
    hint: "Try again when that has ended, or wait for it: --wait 30s",
  });
}

type Outcome = { readonly lock: Lock } | { readonly holder: Holder | undefined };

/** One attempt, without waiting. */
function tryAcquire(path: string, owner: LockOwner): Outcome {
  const candidate = makeCandidate(path, owner);
  try {
    if (linkTo(candidate.path, path)) return { lock: heldLock(path, candidate) };
    const standing = readStanding(path);
    if (standing === undefined) return { holder: undefined };
    if (!isGone(standing, owner, candidate)) return { holder: standing.holder };
    if (!takeOver(path, standing, { candidate, owner })) return { holder: standing.holder };
    return { lock: heldLock(path, candidate) };
  } catch (error) {
    fs.closeSync(candidate.fd);
    throw error;
  } finally {
    fs.rmSync(candidate.path, { force: true });
  }
}

interface Candidate {
  readonly path: string;
  readonly fd: number;
  readonly ino: number;
  readonly text: string;
  /** The file system's own time, to compare heartbeats with: clocks of two machines may differ. */
  readonly now: number;
}

let made = 0;

function makeCandidate(path: string, owner: LockOwner): Candidate {
  made += 1;
  const file = `${path}.${owner.hostname}.${owner.pid}.${made}`;
  const holder: Holder = {
    pid: owner.pid,
    host: owner.hostname,
    scope: pidScope(),
    start: processStart(owner.pid),
  };
  const text = `${JSON.stringify(holder)}\n`;
  try {
    const fd = fs.openSync(file, "w", 0o600);
    fs.writeSync(fd, text);
    const stat = fs.fstatSync(fd);
    return { path: file, fd, ino: stat.ino, text, now: stat.mtimeMs };
  } catch (error) {
    throw new AppError("failed", `Cannot lock session "${path.slice(0, -5)}": ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** True if `to` is now the candidate, false if something stands there. */
function linkTo(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw new AppError("failed", `Cannot lock session "${to.slice(0, -5)}": ${messageOf(error)}`, {
      cause: error,
    });
  }
}

interface Standing {
  readonly ino: number;
  /** When the holder was last heard of. */
  readonly heard: number;
  readonly holder: Holder | undefined;
}

function readStanding(path: string): Standing | undefined {
  try {
    const stat = fs.statSync(path);
    return { ino: stat.ino, heard: stat.mtimeMs, holder: decodeHolder(fs.readFileSync(path, "utf8")) };
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
 * A holder of this host and boot is gone when its process ended, or its number belongs to a younger process now. One
 * that we cannot look at (another host, another pid namespace, an unreadable lock) is gone when it has been silent.
 */
function isGone(standing: Standing, owner: LockOwner, candidate: Candidate): boolean {
  const { holder } = standing;
  const silent = candidate.now - standing.heard > SILENT_MS;
  if (holder === undefined || holder.host !== owner.hostname) return silent;
  const [boot, namespace] = holder.scope.split(" ");
  const [ourBoot, ourNamespace] = pidScope().split(" ");
  if (boot !== ourBoot) return true;
  if (namespace !== ourNamespace) return silent;
  if (!isProcessAlive(holder.pid)) return true;
  return holder.start !== undefined && processStart(holder.pid) !== holder.start;
}

/** Puts the candidate in the place of a dead holder's lock. False if somebody else was faster. */
function takeOver(
  path: string,
  standing: Standing,
  taker: { readonly candidate: Candidate; readonly owner: LockOwner },
): boolean {
  const claim = `${path}.claim`;
  if (!linkTo(taker.candidate.path, claim)) {
    const rival = readStanding(claim);
    if (rival !== undefined && isGone(rival, taker.owner, taker.candidate)) fs.rmSync(claim, { force: true });
    return false;
  }
  try {
    if (readStanding(path)?.ino !== standing.ino) return false;
    fs.renameSync(taker.candidate.path, path);
    return true;
  } finally {
    fs.rmSync(claim, { force: true });
  }
}

function heldLock(path: string, candidate: Candidate): Lock {
  let released = false;
  const isHeld = () => {
    try {
      return !released && fs.statSync(path).ino === candidate.ino;
    } catch {
      return false;
    }
  };
  const beat = setInterval(() => {
    if (isHeld()) fs.writeSync(candidate.fd, candidate.text, 0);
  }, HEARTBEAT_MS);
  beat.unref();
  return {
    isHeld,
    release() {
      if (released) return;
      if (isHeld()) fs.rmSync(path, { force: true });
      released = true;
      clearInterval(beat);
      fs.closeSync(candidate.fd);
    },
  };
}
