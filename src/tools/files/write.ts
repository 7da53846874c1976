// Writing whole files: never half a file, never through a link that was swapped in. The directory is opened and checked
// first; the temporary file, its sync and its rename all happen inside that open directory.

import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { codeOf } from "../../base/errors.ts";
import { removeIfPossible } from "../../base/remove.ts";
import {
  FileError,
  isMissing,
  kindOf,
  type OpenDirectory,
  openChild,
  openDirectory,
  type PathCheck,
} from "./open.ts";

/** As many links as Linux follows. */
const MAX_LINKS = 40;
const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

export interface WriteRequest {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly check: PathCheck;
  /** The file must still be this one (an edit of what was read). */
  readonly expect?: fs.Stats;
}

/** Replaces or makes the file, and the directories above it. Gives its real path, and whether it was there before. */
export function writeWholeFile(request: WriteRequest): { readonly path: string; readonly created: boolean } {
  let path = request.path;
  for (let links = 0; links <= MAX_LINKS; links++) {
    using parent = openOrMakeDirectory(dirname(path), basename(path), request.check);
    const name = basename(path);
    const before = statOf(parent, name);
    if (before?.isSymbolicLink() === true) {
      path = resolve(parent.path, fs.readlinkSync(parent.at(name)));
      continue;
    }
    const full = join(parent.path, name);
    request.check(full);
    demandReplaceable(before, full, request.expect);
    replace({ parent, name, bytes: request.bytes, before });
    return { path: full, created: before === undefined };
  }
  throw new FileError(`${request.path}: too many symbolic links`);
}

/** Opens a file for writing at its end, made if it is missing: the target of a redirection. Links are followed as far as allowed. */
export function openForAppending(
  path: string,
  check: PathCheck,
): { readonly fd: number; readonly path: string } {
  for (let links = 0; links <= MAX_LINKS; links++) {
    using parent = openOrMakeDirectory(dirname(path), basename(path), check);
    const name = basename(path);
    const before = statOf(parent, name);
    if (before?.isSymbolicLink() === true) {
      path = resolve(parent.path, fs.readlinkSync(parent.at(name)));
      continue;
    }
    const full = join(parent.path, name);
    check(full);
    demandReplaceable(before, full, undefined);
    const fd = fs.openSync(
      parent.at(name),
      O_WRONLY | O_CREAT | O_APPEND | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0),
      0o666,
    );
    if (fs.fstatSync(fd).isFile()) return { fd, path: full };
    fs.closeSync(fd);
    throw new FileError(`${full} is not a regular file`);
  }
  throw new FileError(`${path}: too many symbolic links`);
}

/** The directory, made if it is missing. Nothing is made before the file that shall stand in it was checked. */
function openOrMakeDirectory(path: string, child: string, check: PathCheck): OpenDirectory {
  const existing = existingAncestor(path);
  const missing = relative(existing, path)
    .split(sep)
    .filter((part) => part !== "");
  let directory = openDirectory(existing, () => {});
  try {
    check(join(directory.path, ...missing, child));
    for (const name of missing) {
      makeDirectory(directory, name);
      const next = openChild(directory, name);
      directory[Symbol.dispose]();
      directory = next;
    }
    return directory;
  } catch (error) {
    directory[Symbol.dispose]();
    throw error;
  }
}

function existingAncestor(path: string): string {
  for (let current = path; ; current = dirname(current)) {
    try {
      fs.statSync(current);
      return current;
    } catch (error) {
      if (!isMissing(error) || dirname(current) === current) throw error;
    }
  }
}

function makeDirectory(parent: OpenDirectory, name: string): void {
  try {
    fs.mkdirSync(parent.at(name));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

function statOf(parent: OpenDirectory, name: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(parent.at(name));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function demandReplaceable(before: fs.Stats | undefined, path: string, expect: fs.Stats | undefined): void {
  if (before !== undefined && !before.isFile())
    throw new FileError(`${path} is ${kindOf(before)}, not a regular file`);
  if (expect === undefined) return;
  const same =
    before !== undefined &&
    before.ino === expect.ino &&
    before.size === expect.size &&
    before.mtimeMs === expect.mtimeMs;
  if (!same) throw new FileError(`${path} was changed by somebody else in the meantime; read it again`);
}

interface Replacement {
  readonly parent: OpenDirectory;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly before: fs.Stats | undefined;
}

function replace({ parent, name, bytes, before }: Replacement): void {
  if (before !== undefined) fs.accessSync(parent.at(name), fs.constants.W_OK);
  const temporary = parent.at(`.agent-${randomBytes(6).toString("hex")}.tmp`);
  const fd = fs.openSync(temporary, O_WRONLY | O_CREAT | O_EXCL, 0o666);
  try {
    try {
      for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at);
      if (before !== undefined) keepOwnerAndMode(fd, before);
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(temporary, parent.at(name));
  } catch (error) {
    removeIfPossible(temporary);
    throw error;
  }
}

/** Root must not take over the files of others; who is not root cannot give files away, and keeps them. */
function keepOwnerAndMode(fd: number, before: fs.Stats): void {
  const made = fs.fstatSync(fd);
  if (made.uid !== before.uid || made.gid !== before.gid) {
    try {
      fs.fchownSync(fd, before.uid, before.gid);
    } catch (error) {
      if (codeOf(error) !== "EPERM") throw error;
    }
  }
  // As the kernel does when a file is written: new content is not what was trusted to run as somebody else.
  fs.fchmodSync(fd, before.mode & 0o777);
}
