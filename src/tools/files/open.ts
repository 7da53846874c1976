// Opening files so that what was checked is what is used. On Linux a path is first pinned without being opened for use
// (O_PATH follows links but reads nothing), the kernel says which file that is, the check judges that, and the very same
// file is then opened through its descriptor: swapping a link between check and use changes nothing. Elsewhere the real
// path is opened without following links and compared with what was checked; a directory swapped in that instant is
// noticed only afterwards, before anything is read or written.

import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../../base/errors.ts";
import { realPathOf } from "../../base/stat.ts";

/** Throws if the file at this real path may not be used. A directory's path ends with `/`: names of secrets are those of files. */
export type PathCheck = (realPath: string) => void;

/** An open file or directory. `path` is its real path, which the check has seen. */
export interface Opened extends Disposable {
  readonly fd: number;
  readonly path: string;
  readonly stat: fs.Stats;
}

/** An open directory; `at(name)` is an address of its member that means this directory wherever its path leads by now. */
export interface OpenDirectory extends Disposable {
  readonly path: string;
  at(name: string): string;
}

/** A file that is not what the caller needs; the message is for the model. */
export class FileError extends Error {
  override readonly name = "FileError";
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = fs.constants;
/** Linux: a descriptor that stands for a path and cannot be read (`open(2)`). */
const O_PATH = 0o10000000;
const DESCRIPTORS = "/proc/self/fd";

let hasDescriptors: boolean | undefined;

function pinning(): boolean {
  hasDescriptors ??= fs.existsSync(DESCRIPTORS) && fs.constants.O_NOFOLLOW !== undefined;
  return hasDescriptors;
}

/** Opens a regular file for reading. A missing file is checked too, by the path it would have, before it is reported. */
export function openFile(path: string, check: PathCheck): Opened {
  return pinning() ? openPinned(path, check) : openCompared(path, check);
}

function openPinned(path: string, check: PathCheck): Opened {
  const pin = openOrExplain(path, O_PATH, check);
  try {
    const real = pathOfDescriptor(pin, path);
    check(real);
    demandRegular(fs.fstatSync(pin), path);
    const fd = fs.openSync(`${DESCRIPTORS}/${pin}`, O_RDONLY | O_NONBLOCK);
    return opened(fd, real);
  } finally {
    fs.closeSync(pin);
  }
}

/** What `openFile` does where there is no `/proc`. */
export function openCompared(path: string, check: PathCheck): Opened {
  const real = realPathOf(path);
  check(real);
  demandRegular(fs.statSync(real), path);
  const fd = fs.openSync(real, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  const stat = fs.fstatSync(fd);
  const now = fs.lstatSync(real);
  if (realPathOf(path) === real && now.ino === stat.ino && now.dev === stat.dev) return opened(fd, real);
  fs.closeSync(fd);
  throw new FileError(`${path} changed while it was being opened`);
}

function opened(fd: number, path: string): Opened {
  return { fd, path, stat: fs.fstatSync(fd), [Symbol.dispose]: () => fs.closeSync(fd) };
}

/** Opens a directory to list it, or to reach what is in it. */
export function openDirectory(path: string, check: PathCheck): OpenDirectory {
  if (!pinning()) return directoryByPath(path, check);
  const fd = openOrExplain(path, O_PATH | O_DIRECTORY, check);
  try {
    const real = pathOfDescriptor(fd, path);
    check(directoryPath(real));
    return directoryByDescriptor(fd, real);
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}

/** Opens a directory inside an open one; a symbolic link there is not followed but refused (ENOTDIR, ELOOP). */
export function openChild(parent: OpenDirectory, name: string): OpenDirectory {
  const path = join(parent.path, name);
  if (!pinning()) {
    if (fs.lstatSync(path).isSymbolicLink()) throw new FileError(`${path} is a symbolic link`);
    return { path, at: (child) => join(path, child), [Symbol.dispose]: () => {} };
  }
  return directoryByDescriptor(fs.openSync(parent.at(name), O_PATH | O_DIRECTORY | O_NOFOLLOW), path);
}

/** Opens a regular file inside an open directory, not following links. `undefined` if it is something else. */
export function openChildFile(parent: OpenDirectory, name: string): Opened | undefined {
  const stat = fs.lstatSync(parent.at(name));
  if (!stat.isFile()) return undefined;
  const fd = fs.openSync(parent.at(name), O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  const file = opened(fd, join(parent.path, name));
  if (file.stat.isFile()) return file;
  fs.closeSync(fd);
  return undefined;
}

/** The path of a directory as it is judged. */
export function directoryPath(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}

function directoryByDescriptor(fd: number, path: string): OpenDirectory {
  return {
    path,
    at: (name) => (name === "." ? `${DESCRIPTORS}/${fd}/` : `${DESCRIPTORS}/${fd}/${name}`),
    [Symbol.dispose]: () => fs.closeSync(fd),
  };
}

function directoryByPath(path: string, check: PathCheck): OpenDirectory {
  const real = realPathOf(path);
  check(directoryPath(real));
  if (!fs.statSync(real).isDirectory()) throw new FileError(`${path} is not a directory`);
  return { path: real, at: (name) => join(real, name), [Symbol.dispose]: () => {} };
}

/** A path that cannot be opened is judged all the same, so that a denial never tells what exists. */
function openOrExplain(path: string, flags: number, check: PathCheck): number {
  try {
    return fs.openSync(path, flags);
  } catch (error) {
    check(wouldBePath(path));
    throw error;
  }
}

/** The real path that a missing file would have; a dangling link counts as what it points to. */
function wouldBePath(path: string, hops = 0): string {
  const full = join(realPathOf(dirname(path)), basename(path));
  try {
    const target = fs.readlinkSync(full);
    return hops > 40
      ? full
      : wouldBePath(target.startsWith("/") ? target : join(dirname(full), target), hops + 1);
  } catch {
    return realPathOf(full);
  }
}

function pathOfDescriptor(fd: number, path: string): string {
  const real = fs.readlinkSync(`${DESCRIPTORS}/${fd}`);
  if (fs.fstatSync(fd).nlink === 0 && real.endsWith(" (deleted)"))
    throw new FileError(`${path} was deleted while it was being opened`);
  return real;
}

function demandRegular(stat: fs.Stats, path: string): void {
  if (stat.isFile()) return;
  if (stat.isDirectory()) throw new FileError(`${path} is a directory; ls lists it`);
  throw new FileError(`${path} is not a regular file but ${kindOf(stat)}`);
}

/** What something is, in words. */
export function kindOf(stat: fs.Stats): string {
  if (stat.isDirectory()) return "a directory";
  if (stat.isFIFO()) return "a named pipe";
  if (stat.isSocket()) return "a socket";
  if (stat.isBlockDevice() || stat.isCharacterDevice()) return "a device";
  if (stat.isSymbolicLink()) return "a symbolic link";
  return "a file";
}

/** What a path leads to; only to choose how to open it, never to judge it. */
export function kindOfPath(path: string): "file" | "directory" | undefined {
  try {
    return fs.statSync(path).isDirectory() ? "directory" : "file";
  } catch {
    return undefined;
  }
}

/** Whether nothing has this name. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
}
