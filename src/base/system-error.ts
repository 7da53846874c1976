// What a failed call of the operating system means, in words that fit after "Cannot …: ". The system's own messages name
// codes, calls, descriptors and temporary files that mean nothing to a reader.

import { codeOf, messageOf } from "./errors.ts";

const WORDS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "no such file or directory"],
  ["EACCES", "the system does not permit it"],
  ["EPERM", "the system does not permit it"],
  ["EROFS", "the file system is read-only"],
  ["EISDIR", "it is a directory"],
  ["ENOTDIR", "a part of the path is not a directory"],
  ["EEXIST", "something is there already"],
  ["ELOOP", "too many symbolic links"],
  ["ENAMETOOLONG", "the name is too long"],
  ["ENOSPC", "no space is left on the device"],
  ["EFBIG", "the file would be larger than the system permits"],
  ["EDQUOT", "the disk quota is used up"],
  ["EMFILE", "too many open files"],
  ["ENFILE", "too many open files"],
  ["EBUSY", "it is in use"],
  ["EIO", "the device failed"],
  ["ENXIO", "it is not a regular file"],
]);

/** The words for a system error, its code if there are none; the message of anything else. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined || !isSystemCode(code)) return messageOf(error);
  return WORDS.get(code) ?? code;
}

/** Whether a code is one of the operating system: `ENOENT`, not `ERR_INVALID_ARG_TYPE`. */
export function isSystemCode(code: string): boolean {
  return /^E[A-Z0-9]+$/.test(code);
}
