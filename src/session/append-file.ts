// A file that only grows: it appears whole, and whole lines are appended in one write each. A line that somebody left
// torn keeps its own line; a write of ours that the system cut short is taken back and reported.

import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../base/errors.ts";
import { removeIfPossible } from "../base/remove.ts";
import { syncDirectory } from "../base/sync-directory.ts";

const NEWLINE = 10;

/** Errors of `link` on file systems that have no hard links. */
export const NO_LINKS: ReadonlySet<string> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EXDEV",
]);

/**
 * Makes a file of mode 0600 that holds `content` from its first moment, and gives its descriptor, open for appending:
 * it is written under another name first, so a process that dies on the way leaves nothing under this one. Throws as
 * `fs` does; `EEXIST` if something stands there.
 */
export function createWhole(path: string, content: Uint8Array): number {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}`);
  const fd = fs.openSync(temporary, "ax", 0o600);
  try {
    writeOnce(fd, content);
    // Before it has its name: a loss of power leaves all of it under that name, or nothing.
    fs.fsyncSync(fd);
    giveName(temporary, path);
  } finally {
    fs.closeSync(fd);
    removeIfPossible(temporary);
  }
  // Opened by the name that it keeps, so that whoever looks at open files finds it.
  return fs.openSync(path, "a+");
}

/** A copy takes the name where the file system has no links. */
function giveName(temporary: string, path: string): void {
  try {
    fs.linkSync(temporary, path);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error) ?? "")) throw error;
    fs.copyFileSync(temporary, path, fs.constants.COPYFILE_EXCL);
  }
}

/** One write at the end of the file. A newline goes first if the last byte is none. Throws as `fs` does. */
export function appendOnce(fd: number, text: string): void {
  const { size } = fs.fstatSync(fd);
  const last = new Uint8Array(1);
  const torn = size > 0 && fs.readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
  writeOnce(fd, Buffer.from(torn ? `\n${text}` : text));
}

/** A write that the system cut short (the disk is full) is undone, so that no torn line of ours stays behind. */
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

/**
 * Why the open file is not the one under its name any more, or lost what it held; undefined if all is well.
 * `sizeBefore` is the size that it had at least.
 */
export function lostFile(path: string, fd: number, sizeBefore: number): string | undefined {
  const ours = fs.fstatSync(fd);
  const there = fs.statSync(path, { throwIfNoEntry: false });
  if (there === undefined) return "the file was removed while the session was running";
  if (there.ino !== ours.ino || there.dev !== ours.dev)
    return "another file was put in its place while the session was running";
  if (ours.size < sizeBefore) return "another program cut the file short while the session was running";
  return undefined;
}

/** Syncs the file, and the directory that has its name: both survive a loss of power. */
export function syncFile(path: string, fd: number): void {
  fs.fsyncSync(fd);
  syncDirectory(dirname(path));
}
