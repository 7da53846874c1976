// One writer a session: a lock file beside it that names its holder. It is made by `link`, so it appears whole or not at
// all; a dead holder's lock is replaced by `rename` while a second lock, the claim, keeps other takers away. Invariant:
// who holds a lock can prove it at any time, because the lock's inode is the one that it made.

import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { clearInterval, setInterval } from "node:timers";
import { AppError, codeOf } from "../base/errors.ts";
import { removeIfPossible } from "../base/remove.ts";
import { statOf } from "../base/stat.ts";
import { reasonOf } from "../base/system-error.ts";
import { oneLine } from "../base/text.ts";
import { sleep } from "../base/timer.ts";
import { NO_LINKS } from "./append-file.ts";
import {
  type Holder,
  holderOf,
  type LockOwner,
  readStandingLock,
  type StandingLock,
  stateOf,
} from "./lock-holder.ts";

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

/** A holder that we cannot look at is taken for gone when it has not been heard of for this long. */
const SILENT_MS = 60_000;
const HEARTBEAT_MS = 15_000;
const POLL_MS = 50;
/** Another process is taking or giving back the lock this very moment. */
const MOMENT_MS = 5;
const MOMENTS = 100;
const SUFFIX = ".lock";

/** Where the lock of a session file stands: beside it. */
export function lockPath(sessionPath: string): string {
  return `${sessionPath}${SUFFIX}`;
}

/**
 * Takes the lock of a session file. Throws `AppError`: `locked`, naming the holder, when it is still held after
 * `waitMs`; `failed` when no lock can be made there.
 */
export async function acquireLock(sessionPath: string, options: LockOptions): Promise<Lock> {
  const path = lockPath(sessionPath);
  // Not the time of day, which may be set while we wait.
  const deadline = performance.now() + options.waitMs;
  for (let moments = 0; ; ) {
    options.signal?.throwIfAborted();
    const outcome = tryAcquire(path, options.owner);
    if (outcome.kind === "taken") return outcome.lock;
    if (outcome.kind === "moving" && moments < MOMENTS) {
      moments += 1;
      await sleep(MOMENT_MS, options.signal);
      continue;
    }
    const left = deadline - performance.now();
    if (left <= 0) throw inUse(sessionPath, outcome.kind === "held" ? outcome.holder : undefined);
    await sleep(Math.min(POLL_MS, left), options.signal);
  }
}

function inUse(sessionPath: string, holder: Holder | undefined): AppError {
  const who =
    holder === undefined ? "another process" : `process ${holder.pid} on ${oneLine(holder.host, 100)}`;
  return new AppError("locked", `Cannot write to session "${sessionPath}": it is in use by ${who}`, {
    hint: "Try again when that has ended; agent run and agent handoff can wait for it: --wait 30s",
  });
}

type Outcome =
  | { readonly kind: "taken"; readonly lock: Lock }
  | { readonly kind: "held"; readonly holder: Holder | undefined }
  | { readonly kind: "moving" };

/** One attempt, without waiting. */
function tryAcquire(path: string, owner: LockOwner): Outcome {
  try {
    const standing = readStandingLock(path);
    if (standing !== undefined && stateOf(standing.holder, owner) === "running")
      return { kind: "held", holder: standing.holder };
    const candidate = makeCandidate(path, owner);
    try {
      if (standing === undefined)
        return putInPlace(candidate.path, path) ? taken(path, candidate) : { kind: "moving" };
      if (!isGone(standing, candidate)) return { kind: "held", holder: standing.holder };
      return takeOver(path, standing, candidate) ? taken(path, candidate) : { kind: "moving" };
    } finally {
      removeIfPossible(candidate.path);
    }
  } catch (error) {
    const session = path.slice(0, -SUFFIX.length);
    throw new AppError("failed", `Cannot lock session "${session}": ${reasonOf(error)}`, { cause: error });
  }
}

/** Our lock under a name of its own, before it takes its place. */
interface Candidate {
  readonly path: string;
  readonly text: string;
  readonly owner: LockOwner;
  /** The file system's own time, to compare heartbeats with: clocks of two machines may differ. */
  readonly now: number;
}

function makeCandidate(path: string, owner: LockOwner): Candidate {
  const token = randomBytes(8).toString("hex");
  const file = `${path}.${token}`;
  const text = `${JSON.stringify({ ...holderOf(owner), token })}\n`;
  try {
    fs.writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    // On a full disk the name may be there, without its content.
    removeIfPossible(file);
    throw error;
  }
  return { path: file, text, owner, now: fs.statSync(file).mtimeMs };
}

function isGone(standing: StandingLock, candidate: Candidate): boolean {
  const state = stateOf(standing.holder, candidate.owner);
  // A heartbeat of the future was made before the clock was set back: a holder that lives has made one since.
  return state === "ended" || (state === "unseen" && Math.abs(candidate.now - standing.heard) > SILENT_MS);
}

/** True if the file at `to` is `from`'s now, false if something stands there. */
function putInPlace(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (!NO_LINKS.has(codeOf(error) ?? "")) throw error;
  }
  try {
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Puts the candidate in the place of a dead holder's lock. False if somebody else was faster. */
function takeOver(path: string, standing: StandingLock, candidate: Candidate): boolean {
  const claim = `${path}.claim`;
  if (!putInPlace(candidate.path, claim)) {
    const rival = readStandingLock(claim);
    if (rival !== undefined && isGone(rival, candidate)) removeIfPossible(claim);
    return false;
  }
  try {
    if (readStandingLock(path)?.text !== standing.text) return false;
    fs.renameSync(candidate.path, path);
    return true;
  } finally {
    removeIfPossible(claim);
  }
}

function taken(path: string, { text }: Candidate): Outcome {
  const fd = fs.openSync(path, "r+");
  if (fs.readFileSync(fd, "utf8") === text) return { kind: "taken", lock: heldLock(path, fd, text) };
  // Two takers that cleared away the same dead claim can both have replaced the lock: the later one has it.
  fs.closeSync(fd);
  return { kind: "moving" };
}

function heldLock(path: string, fd: number, text: string): Lock {
  const { ino } = fs.fstatSync(fd);
  let released = false;
  // Whatever keeps us from looking, a lock that cannot be seen is not known to be ours.
  const isHeld = () => !released && statOf(path)?.ino === ino;
  const beat = setInterval(() => heartbeat(fd, text), HEARTBEAT_MS);
  beat.unref();
  return {
    isHeld,
    release() {
      if (released) return;
      if (isHeld()) removeIfPossible(path);
      released = true;
      clearInterval(beat);
      fs.closeSync(fd);
    },
  };
}

/** The lock's own text again, so that the file system notes the time. A lock that is lost is found at the next append. */
function heartbeat(fd: number, text: string): void {
  try {
    fs.writeSync(fd, text, 0);
  } catch {
    return;
  }
}
