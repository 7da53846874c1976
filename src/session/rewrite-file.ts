// Writing a file anew: under another name in the same directory, synced, then renamed. Whatever stops it leaves the old
// file as it was and nothing else behind.

import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { AppError, codeOf } from "../base/errors.ts";
import { removeIfPossible } from "../base/remove.ts";
import { statOf } from "../base/stat.ts";
import { syncDirectory } from "../base/sync-directory.ts";
import { reasonOf } from "../base/system-error.ts";

/**
 * Replaces the file at `path`, or makes it, with mode 0600 unless it had another. Throws `AppError`: `notFound` if its
 * directory is missing, `failed` if it cannot be written; and what `chunks` throws.
 */
export async function rewriteFile(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  // A link stays a link: what it leads to is replaced.
  const target = fs.existsSync(path) ? fs.realpathSync(path) : path;
  demandReplaceable(path, statOf(target));
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}`);
  const mode = statOf(target)?.mode ?? 0o600;
  try {
    await writeWhole(temporary, { chunks, mode: mode & 0o777 });
    fs.renameSync(temporary, target);
    syncDirectory(dirname(target));
  } catch (error) {
    throw error instanceof AppError ? error : writeError(path, error);
  } finally {
    removeIfPossible(temporary);
  }
}

/** A rename puts a file in the place of whatever stands there: of `/dev/null` too, for who is root. */
function demandReplaceable(path: string, stat: fs.Stats | undefined): void {
  if (stat === undefined || stat.isFile()) return;
  const what = stat.isDirectory() ? "a directory" : "a device, a pipe or a socket";
  throw new AppError("failed", `Cannot write "${path}": it is ${what}, not a regular file`);
}

interface Content {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly mode: number;
}

async function writeWhole(path: string, { chunks, mode }: Content): Promise<void> {
  const file = await open(path, "ax", mode);
  try {
    // The mode that it had, not what the umask leaves of it.
    await file.chmod(mode);
    for await (const chunk of chunks) await file.appendFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

function writeError(path: string, error: unknown): AppError {
  const missing = codeOf(error) === "ENOENT";
  const why = missing ? "its directory does not exist" : reasonOf(error);
  return new AppError(missing ? "notFound" : "failed", `Cannot write "${path}": ${why}`, { cause: error });
}
