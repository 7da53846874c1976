// Adding to a session. One append is one `write` of whole lines at the file's end; what it returned survives the death
// of the process. A write that fails is an error, and the writer is unusable from then on.

import { Buffer } from "node:buffer";
import * as fs from "node:fs";
import { dirname } from "node:path";
import { AppError, codeOf, messageOf } from "../base/errors.ts";
import { fileChunks } from "../base/lines.ts";
import { encodeEntry, encodeHeader } from "./codec.ts";
import type { Entry, SessionHeader } from "./entry.ts";
import { newEntryId } from "./ids.ts";
import { acquireLock, type Lock, type LockOptions } from "./lock.ts";
import { openSession } from "./open.ts";
import type { AppendEntry, Session, SessionWriter } from "./session.ts";

const NEWLINE = 10;

export interface CreateOptions extends LockOptions {
  /** Absolute path; nothing may stand there. Missing directories are made, for this user only. */
  readonly path: string;
  readonly header: SessionHeader;
  /** Entries that the file is born with, in the same write as the header; their ids and parents stay. */
  readonly entries?: readonly Entry[];
}

/**
 * Makes a new session file, mode 0600, whole from its first moment: it appears under its name with its header in it.
 * Throws `AppError`: `usage` if something stands at the path, `failed` if it cannot be written.
 */
export async function createSession(options: CreateOptions): Promise<SessionWriter> {
  const { path, header } = options;
  const entries = options.entries ?? [];
  const text = [encodeHeader(header), ...entries.map(encodeEntry)].map((line) => `${line}\n`).join("");
  try {
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw cannotCreate(path, error);
  }
  const lock = await acquireLock(path, options);
  try {
    const fd = createWhole(path, text, options.owner.pid);
    return fileWriter({ path, header, fd, lock, entries, known: () => false });
  } catch (error) {
    lock.release();
    throw cannotCreate(path, error);
  }
}

function cannotCreate(path: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (codeOf(error) === "EEXIST")
    return new AppError("usage", `Cannot create session "${path}": something is there already`, {
      cause: error,
    });
  return new AppError("failed", `Cannot create session "${path}": ${messageOf(error)}`, { cause: error });
}

/** Writes beside the name first, then gives it the name: a process that dies on the way leaves no headerless file. */
function createWhole(path: string, text: string, pid: number): number {
  const temporary = `${path}.new.${pid}`;
  const fd = fs.openSync(temporary, "ax+", 0o600);
  try {
    writeOnce(fd, new TextEncoder().encode(text));
    fs.linkSync(temporary, path);
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

export interface ResumeOptions extends LockOptions {
  /** Absolute path of a version 3 session file. */
  readonly path: string;
}

export interface ResumedSession {
  /** As the file was when the lock had been taken: nobody has appended since. */
  readonly session: Session;
  readonly writer: SessionWriter;
}

/**
 * Opens a session file for appending: takes its lock, then reads it. Throws `AppError` as `openSession` and
 * `acquireLock` do, and `failed` for a file that cannot be appended to (`appendObstacle`).
 */
export async function resumeSession(options: ResumeOptions): Promise<ResumedSession> {
  const { path } = options;
  if (!fs.existsSync(path))
    throw new AppError("notFound", `Cannot open session "${path}": there is no such file`);
  const lock = await acquireLock(path, options);
  try {
    const session = await openSession(path);
    const obstacle = appendObstacle(session);
    if (obstacle !== undefined)
      throw new AppError("failed", `Cannot append to session "${path}": ${obstacle}`);
    const fd = fs.openSync(path, "a+");
    const writer = fileWriter({
      path,
      header: session.header,
      fd,
      lock,
      leafId: session.leafId,
      entries: [],
      known: (id) => session.indexOf(id) !== undefined,
    });
    return { session, writer };
  } catch (error) {
    lock.release();
    if (error instanceof AppError) throw error;
    throw new AppError("failed", `Cannot append to session "${path}": ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Why a session's own file cannot be appended to, in words for a notice ("it is a Claude Code session"); undefined if it
 * can. A session that cannot goes on in a new file whose `parentSession` is its id.
 */
export function appendObstacle(session: Session): string | undefined {
  if (session.path === undefined) return "it did not come from a file";
  if (session.format === "pi-v1" || session.format === "pi-v2")
    return `it is of version ${session.format.slice(-1)} of the format`;
  if (session.format !== "pi-v3") return `it is a ${session.format} session`;
  if (session.problems.some((problem) => problem.code === "no-header")) return "it has no header";
  try {
    fs.accessSync(session.path, fs.constants.W_OK);
    fs.accessSync(dirname(session.path), fs.constants.W_OK);
  } catch {
    return "it is read-only";
  }
  return undefined;
}

interface WriterParts {
  readonly path: string;
  readonly header: SessionHeader;
  readonly fd: number;
  readonly lock: Lock;
  readonly leafId?: string | null;
  readonly entries: readonly Entry[];
  readonly known: (id: string) => boolean;
}

function fileWriter(parts: WriterParts): SessionWriter {
  const { path, fd, lock } = parts;
  const tail = entryTail(parts);
  let broken: AppError | undefined;
  let open = true;
  return {
    header: parts.header,
    path,
    get leafId() {
      return tail.leafId();
    },
    append(wanted) {
      if (broken !== undefined) throw broken;
      const entries = tail.complete(wanted);
      try {
        checkStillOurs(path, fd, lock);
        appendOnce(fd, entries.map((entry) => `${encodeEntry(entry)}\n`).join(""));
      } catch (error) {
        broken =
          error instanceof AppError
            ? error
            : new AppError("failed", `Cannot write to session "${path}": ${messageOf(error)}`, {
                cause: error,
              });
        throw broken;
      }
      tail.advance(entries);
      return entries;
    },
    async *lines() {
      fs.fsyncSync(fd);
      yield* fileChunks(path);
    },
    flush() {
      if (open) fs.fsyncSync(fd);
    },
    close() {
      if (!open) return;
      open = false;
      fs.closeSync(fd);
      lock.release();
    },
  };
}

/** The file must still stand under its name, and the lock must still be ours. */
function checkStillOurs(path: string, fd: number, lock: Lock): void {
  const fail = (why: string) => new AppError("failed", `Cannot write to session "${path}": ${why}`);
  const ours = fs.fstatSync(fd);
  const there = fs.statSync(path, { throwIfNoEntry: false });
  if (there === undefined) throw fail("the file was removed while the session was running");
  if (there.ino !== ours.ino || there.dev !== ours.dev)
    throw fail("another file was put in its place while the session was running");
  if (!lock.isHeld()) throw fail("its lock was removed or taken over by another process");
}

/** One write at the end; a newline goes first if the last byte is none, so that a torn line keeps its own line. */
function appendOnce(fd: number, text: string): void {
  const { size } = fs.fstatSync(fd);
  const last = new Uint8Array(1);
  const torn = size > 0 && fs.readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
  writeOnce(fd, new TextEncoder().encode(torn ? `\n${text}` : text));
}

/** A write that the system cut short (the disk is full) is undone, so that no torn line stays behind. */
function writeOnce(fd: number, bytes: Uint8Array): void {
  const before = fs.fstatSync(fd).size;
  let written = 0;
  try {
    written = fs.writeSync(fd, bytes);
    while (written < bytes.length) written += fs.writeSync(fd, bytes, written);
  } catch (error) {
    if (written > 0 && fs.fstatSync(fd).size === before + written) fs.ftruncateSync(fd, before);
    throw error;
  }
}

/** Gives new entries their ids, parents and times, and knows the entry that the next one goes after. */
function entryTail(parts: Pick<WriterParts, "leafId" | "entries" | "known">): {
  leafId(): string | null;
  complete(wanted: readonly AppendEntry[]): readonly Entry[];
  advance(entries: readonly Entry[]): void;
} {
  const ids = new Set(parts.entries.map((entry) => entry.id));
  let leafId: string | null = parts.entries.at(-1)?.id ?? parts.leafId ?? null;
  return {
    leafId: () => leafId,
    complete(wanted) {
      const fresh = new Set<string>();
      let parent = leafId;
      return wanted.map((entry) => {
        const id =
          entry.id ?? newEntryId((known) => ids.has(known) || fresh.has(known) || parts.known(known));
        fresh.add(id);
        const parentId = entry.parentId === undefined ? parent : entry.parentId;
        parent = id;
        const placed = { ...entry, id, parentId, timestamp: new Date().toISOString() };
        return placed.type === "compaction" && placed.firstKeptEntryId === ""
          ? { ...placed, firstKeptEntryId: id }
          : placed;
      });
    },
    advance(entries) {
      for (const entry of entries) ids.add(entry.id);
      leafId = entries.at(-1)?.id ?? leafId;
    },
  };
}

/** A writer that keeps everything in memory, after what `base` holds. `flush` and `close` do nothing. */
export function memoryWriter(header: SessionHeader, base?: Session): SessionWriter {
  const entries: Entry[] = [];
  const tail = entryTail({
    entries,
    leafId: base?.leafId ?? null,
    known: (id) => base?.indexOf(id) !== undefined,
  });
  return {
    header,
    path: undefined,
    get leafId() {
      return tail.leafId();
    },
    append(wanted) {
      const added = tail.complete(wanted);
      tail.advance(added);
      entries.push(...added);
      return added;
    },
    async *lines() {
      const encoder = new TextEncoder();
      yield encoder.encode(`${encodeHeader(header)}\n`);
      if (base !== undefined) yield* sessionLines(base);
      for (const entry of entries) yield encoder.encode(`${encodeEntry(entry)}\n`);
    },
    flush() {},
    close() {},
  };
}

const BATCH_BYTES = 1 << 16;

/** A session's entries as lines of version 3, in file order, in pieces of some 64 kB. */
function* sessionLines(session: Session): Generator<Uint8Array, void> {
  let batch: Uint8Array[] = [];
  let size = 0;
  const newline = Uint8Array.of(NEWLINE);
  for (let index = 0; index < session.size; index++) {
    const line = session.lineAt(index);
    batch.push(line, newline);
    size += line.length + 1;
    if (size < BATCH_BYTES && index + 1 < session.size) continue;
    yield Buffer.concat(batch);
    batch = [];
    size = 0;
  }
}
