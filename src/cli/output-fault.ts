// Why a file is no place for `--result` or `--record`. The rule: what is there already and is neither empty nor an earlier
// output of the same kind stays as it is, so that a mistyped name costs nothing.

import { closeSync, openSync, readSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { AppError } from "../base/errors.ts";
import { isOwnDescriptor } from "../base/own-descriptor.ts";
import { statOf } from "../base/stat.ts";
import { reasonOf } from "../base/system-error.ts";
import { decodeRecordingLine } from "../model/recording-line.ts";

/** The `AppError` (`usage`) of a `--result` that must not be written; `file` is what was given, taken from `cwd`. */
export function resultFault(file: string, cwd: string): AppError | undefined {
  const path = resolve(cwd, file);
  if (file === "-") {
    return usage(`--result: - is no file`, "To stderr: --result /dev/stderr. On stdout: --output json.");
  }
  if (file === "" || statOf(path)?.isDirectory() === true) return usage(`--result: "${file}" is no file`);
  if (statOf(dirname(path))?.isDirectory() !== true)
    return usage(`--result: there is no directory for "${file}"`, "Make it first.");
  return strangerFault(path, { flag: "--result", file, isOurs: beginsAsResult, kind: "result record" });
}

/** The same of a `--record`. */
export function recordFault(file: string, cwd: string): AppError | undefined {
  if (file === "-") return usage("--record: - is no file", "A recording is a file, for replay:<file>.");
  return strangerFault(resolve(cwd, file), {
    flag: "--record",
    file,
    isOurs: beginsAsRecording,
    kind: "recording",
  });
}

interface Expected {
  readonly flag: string;
  readonly file: string;
  readonly isOurs: (head: string) => boolean;
  readonly kind: string;
}

/** A file that holds something else. Pipes and devices hold nothing; what a shell opened for us, it chose. */
function strangerFault(path: string, { flag, file, isOurs, kind }: Expected): AppError | undefined {
  const stat = statOf(path);
  if (stat?.isFile() !== true || stat.size === 0 || isOwnDescriptor(path)) return undefined;
  try {
    if (isOurs(headOf(path))) return undefined;
  } catch (cause) {
    return usage(`${flag}: "${file}" is there and cannot be looked at: ${reasonOf(cause)}`);
  }
  return usage(
    `${flag}: "${file}" is there and is no ${kind}`,
    "Name another file, or remove this one first.",
  );
}

const RESULT = '{"type":"result"';

/** Also one that was formatted since, and one that a full disk cut off. */
function beginsAsResult(head: string): boolean {
  return /^\s*\{\s*"type"\s*:\s*"result"/.test(head) || RESULT.startsWith(head);
}

const RECORDING = '{"type":"recording"';

function beginsAsRecording(head: string): boolean {
  const first = head.split("\n").find((line) => line.trim() !== "") ?? "";
  return typeof decodeRecordingLine(first) !== "string" || first.startsWith(RECORDING);
}

/** Enough for the first line of any recording. */
const HEAD_BYTES = 65_536;

function headOf(path: string): string {
  const fd = openSync(path, "r");
  try {
    const bytes = new Uint8Array(HEAD_BYTES);
    return new TextDecoder().decode(bytes.subarray(0, readSync(fd, bytes)));
  } finally {
    closeSync(fd);
  }
}

function usage(message: string, hint?: string): AppError {
  return new AppError("usage", message, hint === undefined ? {} : { hint });
}
