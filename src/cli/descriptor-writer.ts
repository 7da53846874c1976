// Writing to a descriptor, one write after another, each awaited: what was written has arrived in the pipe, however large and
// however slow the reader. What the reader is not waited for any more at the end of the command is given up; no signal ends
// such a write in the system, so the process leaves it behind.

import * as fs from "node:fs";
import { AppError, codeOf } from "../base/errors.ts";
import { orAborted } from "../base/or-aborted.ts";
import { reasonOf } from "../base/system-error.ts";
import { readerPatience } from "./reader-patience.ts";

const EAGAIN_WAIT_MS = 5;
/** Written at once to a pipe, so that headway is seen; it holds about as much. */
const PIECE_BYTES = 65_536;

export interface DescriptorWriter {
  /**
   * Resolves when all of it was handed to the system. Rejects with `AppError`: `pipe` when the reader went away, `failed`, or
   * the reason of a signal of `giveUpAt`; then so does every later write, and no more of them reaches the reader.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** From the signal's abort on nothing waits for a reader that does not read. The first signal to abort gives the reason. */
  giveUpAt(signal: AbortSignal): void;
}

/** The writer of an open descriptor. */
export function descriptorWriter(fd: number): DescriptorWriter {
  const pieceBytes = isRegularFile(fd) ? Number.POSITIVE_INFINITY : PIECE_BYTES;
  const patience = readerPatience();
  let last: Promise<void> = Promise.resolve();
  let pending = 0;
  const writeNext = async (bytes: Uint8Array) => {
    for (let offset = 0; offset < bytes.length; ) {
      patience.gaveUp.throwIfAborted();
      const written = await writeSome(fd, bytes.subarray(offset, offset + pieceBytes));
      if (written > 0) patience.headway();
      offset += written;
    }
  };
  const done = () => {
    pending -= 1;
    if (pending === 0) patience.rest();
  };
  return {
    write(bytes) {
      if (pending === 0) patience.begin();
      pending += 1;
      last = last.then(() => writeNext(bytes)).finally(done);
      return orAborted(last, patience.gaveUp);
    },
    giveUpAt: patience.endAt,
  };
}

/** What several processes append to a file must not mix, so there a write is one. */
function isRegularFile(fd: number): boolean {
  try {
    return fs.fstatSync(fd).isFile();
  } catch {
    return false;
  }
}

/** How much was written; 0, after a moment, where the descriptor takes nothing right now. */
async function writeSome(fd: number, bytes: Uint8Array): Promise<number> {
  try {
    return await new Promise((resolve, reject) => {
      fs.write(fd, bytes, 0, bytes.length, null, (error, written) =>
        error ? reject(error) : resolve(written),
      );
    });
  } catch (error) {
    if (codeOf(error) !== "EAGAIN") throw outputError(error);
    await new Promise((resolve) => setTimeout(resolve, EAGAIN_WAIT_MS));
    return 0;
  }
}

function outputError(error: unknown): AppError {
  // A socket says the second where its reader left bytes unread.
  if (["EPIPE", "ECONNRESET"].includes(codeOf(error) ?? ""))
    return new AppError("pipe", "The reader of stdout went away", { cause: error });
  return new AppError("failed", `Cannot write to stdout: ${reasonOf(error)}`, { cause: error });
}
