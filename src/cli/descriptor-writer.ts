// Writing to a descriptor, one write after another, each awaited: what was written has arrived in the pipe, however large and
// however slow the reader. Only the end of the command (a signal, the limit of time) does not wait for a reader that reads
// nothing: from then on a write that makes no headway is given up. No signal ends such a write, so the process leaves it behind.

import * as fs from "node:fs";
import { AppError, codeOf } from "../base/errors.ts";
import { orAborted } from "../base/or-aborted.ts";
import { reasonOf } from "../base/system-error.ts";

/** A reader that took nothing for this long is not waited for at the end. Where it reads, the last record still arrives. */
const STUCK_MS = 1_000;
/** Before a write is given up, one that the system has finished meanwhile is heard of. */
const LOOK_MS = 50;
const EAGAIN_WAIT_MS = 5;

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
  const gaveUp = new AbortController();
  let last: Promise<void> = Promise.resolve();
  let pending = 0;
  let headwayAt = 0;
  let ended: AbortSignal | undefined;
  let look: ReturnType<typeof setTimeout> | undefined;

  const watch = () => {
    if (ended === undefined || pending === 0 || look !== undefined) return;
    const left = headwayAt + STUCK_MS - performance.now();
    look = setTimeout(judge, Math.max(LOOK_MS, left));
  };
  const judge = () => {
    look = undefined;
    const isStuck = pending > 0 && performance.now() - headwayAt >= STUCK_MS;
    if (isStuck) gaveUp.abort(ended?.reason);
    else watch();
  };
  const headway = () => {
    headwayAt = performance.now();
  };
  const writeNext = async (bytes: Uint8Array) => {
    for (let offset = 0; offset < bytes.length; ) {
      gaveUp.signal.throwIfAborted();
      const written = await writeSome(fd, bytes.subarray(offset));
      if (written > 0) headway();
      offset += written;
    }
  };
  return {
    write(bytes) {
      if (pending === 0) headway();
      pending += 1;
      last = last.then(() => writeNext(bytes)).finally(() => (pending -= 1));
      watch();
      return orAborted(last, gaveUp.signal);
    },
    giveUpAt(signal) {
      const end = () => {
        ended ??= signal;
        watch();
      };
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    },
  };
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
  if (codeOf(error) === "EPIPE")
    return new AppError("pipe", "The reader of stdout went away", { cause: error });
  return new AppError("failed", `Cannot write to stdout: ${reasonOf(error)}`, { cause: error });
}
