// Adding to a session. One append is one `write` of whole lines at the file's end; what it returned survives the death
// of the process. A write that fails is an error, and the writer is unusable from then on.

import { Buffer } from "node:buffer";
import * as fs from "node:fs";
import { dirname } from "node:path";
import { AppError, codeOf } from "../base/errors.ts";
import { fileChunks } from "../base/lines.ts";
import { syncDirectory } from "../base/sync-directory.ts";
import { reasonOf } from "../base/system-error.ts";
import { appendOnce, createWhole, lostFile, syncFile } from "./append-file.ts";
import { encodeEntry, encodeHeader } from "./codec.ts";
import type { Entry, SessionHeader } from "./entry.ts";
import { createEntryTail, type TailStart } from "./entry-tail.ts";
import { acquireLock, type Lock, type LockOptions } from "./lock.ts";
import { appendObstacle } from "./obstacle.ts";
import { openSession } from "./open.ts";
import type { Session, SessionWriter } from "./session.ts";
import { sessionLines } from "./session-lines.ts";
import { walkBranch } from "./tree.ts";

export interface CreateOptions extends LockOptions {
  /** Absolute path; nothing may stand there. Missing directories are made, for this user only. */
  readonly path: string;
  readonly header: SessionHeader;
  /** A branch that the file is born with: its lines as they stand, the leaf last. */
  readonly branch?: { readonly session: Session; readonly leafId: string | null };
  /** More entries that the file is born with, after the branch; their ids and parents stay. */
  readonly entries?: readonly Entry[];
}

/**
 * Makes a new session file, mode 0600, whole from its first moment: it appears under its name with its header in it.
 * Throws `AppError`: `usage` if something stands at the path, `failed` if it cannot be written, `locked` if somebody
 * holds the lock of that path.
 */
export async function createSession(options: CreateOptions): Promise<SessionWriter> {
  const { path, header, branch, entries = [] } = options;
  const indices = branch === undefined ? [] : walkBranch(branch.session, branch.leafId).indices;
  const content = Buffer.concat([
    Buffer.from(`${encodeHeader(header)}\n`),
    ...(branch === undefined ? [] : sessionLines(branch.session, indices)),
    ...entries.map((entry) => Buffer.from(`${encodeEntry(entry)}\n`)),
  ]);
  try {
    makeDirectoryOf(path);
    const lock = await acquireLock(path, options);
    try {
      const fd = createWhole(path, content);
      const ids = new Set(entries.map((entry) => entry.id));
      const leafId = entries.at(-1)?.id ?? (indices.length === 0 ? null : (branch?.leafId ?? null));
      const known = (id: string) => ids.has(id) || branch?.session.indexOf(id) !== undefined;
      return fileWriter({ path, header, fd, lock, leafId, known });
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw cannotCreate(path, error);
  }
}

/**
 * The directories that are missing, synced where they were made. What stands in a directory's way is not something that
 * stands at the path itself.
 */
function makeDirectoryOf(path: string): void {
  try {
    const first = fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    for (let made = dirname(path); made.length >= first.length; made = dirname(made))
      syncDirectory(dirname(made));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    const why = "a part of the path is not a directory";
    throw new AppError("failed", `Cannot create session "${path}": ${why}`, { cause: error });
  }
}

function cannotCreate(path: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (codeOf(error) === "EEXIST")
    return new AppError("usage", `Cannot create session "${path}": something is there already`, {
      cause: error,
    });
  return new AppError("failed", `Cannot create session "${path}": ${reasonOf(error)}`, { cause: error });
}

export interface ResumeOptions extends LockOptions {
  /** Absolute path of a version 3 session file. */
  readonly path: string;
  /** The session as it was opened before; it is read again only if the file has changed in size since. */
  readonly opened?: Session;
}

export interface ResumedSession {
  /** As the file was when the lock had been taken: nobody has appended since. */
  readonly session: Session;
  readonly writer: SessionWriter;
}

/**
 * Opens a session file for appending: takes its lock, then reads it. Files of sessions only grow, so one that has the
 * size that was read before is the one that was read. Throws `AppError` as `openSession` and
 * `acquireLock` do, and `failed` for a file that cannot be appended to (`appendObstacle`).
 */
export async function resumeSession(options: ResumeOptions): Promise<ResumedSession> {
  // One lock for one file, whatever name leads to it.
  const path = realPath(options.path);
  const lock = await acquireLock(path, options);
  try {
    const { opened } = options;
    const isCurrent = opened !== undefined && opened.sourceBytes === fs.statSync(path).size;
    const session = isCurrent ? opened : await openSession(path);
    const obstacle = appendObstacle(session);
    if (obstacle !== undefined)
      throw new AppError("failed", `Cannot append to session "${path}": ${obstacle}`);
    const { header, leafId } = session;
    const known = (id: string) => session.indexOf(id) !== undefined;
    const fd = fs.openSync(path, "a+");
    return { session, writer: fileWriter({ path, header, fd, lock, leafId, known }) };
  } catch (error) {
    lock.release();
    if (error instanceof AppError) throw error;
    throw new AppError("failed", `Cannot append to session "${path}": ${reasonOf(error)}`, { cause: error });
  }
}

function realPath(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch (error) {
    const kind = codeOf(error) === "ENOENT" ? "notFound" : "failed";
    throw new AppError(kind, `Cannot open session "${path}": ${reasonOf(error)}`, { cause: error });
  }
}

interface WriterParts extends TailStart {
  readonly path: string;
  readonly header: SessionHeader;
  readonly fd: number;
  readonly lock: Lock;
}

function fileWriter(parts: WriterParts): SessionWriter {
  const { path, fd, lock, header } = parts;
  const tail = createEntryTail(parts);
  let size = fs.fstatSync(fd).size;
  let broken: AppError | undefined;
  let open = true;
  const failed = (cause: unknown) =>
    cause instanceof AppError
      ? cause
      : new AppError("failed", `Cannot write to session "${path}": ${reasonOf(cause)}`, { cause });
  const checkStillOurs = () => {
    const why = lostFile(path, fd, size) ?? (lock.isHeld() ? undefined : "another process took its lock");
    if (why !== undefined) throw new AppError("failed", `Cannot write to session "${path}": ${why}`);
  };
  const guarded = <T>(work: () => T): T => {
    if (broken !== undefined) throw broken;
    try {
      return work();
    } catch (error) {
      broken = failed(error);
      throw broken;
    }
  };
  return {
    header,
    path,
    get leafId() {
      return tail.leafId;
    },
    append(wanted) {
      const entries = tail.complete(wanted);
      guarded(() => {
        checkStillOurs();
        appendOnce(fd, entries.map((entry) => `${encodeEntry(entry)}\n`).join(""));
        size = fs.fstatSync(fd).size;
      });
      tail.advance(entries);
      return entries;
    },
    async *lines() {
      guarded(() => syncFile(path, fd));
      yield* fileChunks(path);
    },
    flush() {
      if (open) guarded(() => syncFile(path, fd));
    },
    close() {
      if (!open) return;
      open = false;
      try {
        if (broken === undefined) syncFile(path, fd);
      } catch (error) {
        throw failed(error);
      } finally {
        fs.closeSync(fd);
        lock.release();
      }
    },
  };
}

/**
 * A writer that keeps everything in memory, after what `base` holds: all of it, or the entries of `indices` alone (a
 * branch, its leaf last). `flush` and `close` do nothing.
 */
export function memoryWriter(
  header: SessionHeader,
  base?: Session,
  indices?: readonly number[],
): SessionWriter {
  const entries: Entry[] = [];
  const last = indices?.at(-1);
  const leafId = indices === undefined ? base?.leafId : last === undefined ? null : base?.row(last).id;
  const tail = createEntryTail({ leafId: leafId ?? null, known: (id) => base?.indexOf(id) !== undefined });
  return {
    header,
    path: undefined,
    get leafId() {
      return tail.leafId;
    },
    append(wanted) {
      const added = tail.complete(wanted);
      tail.advance(added);
      entries.push(...added);
      return added;
    },
    async *lines() {
      yield Buffer.from(`${encodeHeader(header)}\n`);
      if (base !== undefined) yield* sessionLines(base, indices);
      for (const entry of entries) yield Buffer.from(`${encodeEntry(entry)}\n`);
    },
    flush() {},
    close() {},
  };
}
