// Reading a descriptor to its end, chunk by chunk, so that a signal ends the wait and silence is announced.

import * as fs from "node:fs";
import { AppError, codeOf } from "../base/errors.ts";
import { orAborted } from "../base/or-aborted.ts";
import { reasonOf } from "../base/system-error.ts";

const CHUNK_BYTES = 65_536;
/** When nothing has come for this long, the caller is told once. */
const SILENCE_MS = 2_000;

export interface DescriptorRead {
  readonly fd: number;
  readonly signal: AbortSignal;
  /** Called once if no byte has come after 2 s. */
  readonly waiting: () => void;
}

/** The bytes of a descriptor until its end. Throws the signal's reason, or `AppError` (`failed`) for a read error. */
export async function* readDescriptor(options: DescriptorRead): AsyncGenerator<Uint8Array, void> {
  const silence = setTimeout(options.waiting, SILENCE_MS);
  try {
    for (;;) {
      const chunk = await orAborted(readSome(options.fd), options.signal);
      if (chunk === undefined) return;
      clearTimeout(silence);
      if (chunk.length > 0) yield chunk;
    }
  } finally {
    clearTimeout(silence);
  }
}

/** One chunk; empty if the descriptor has none right now; `undefined` at the end. */
async function readSome(fd: number): Promise<Uint8Array | undefined> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  try {
    const length = await new Promise<number>((resolve, reject) => {
      fs.read(fd, buffer, 0, CHUNK_BYTES, null, (error, read) => (error ? reject(error) : resolve(read)));
    });
    return length === 0 ? undefined : buffer.subarray(0, length);
  } catch (error) {
    const code = codeOf(error);
    if (code === "EOF") return undefined;
    if (code !== "EAGAIN")
      throw new AppError("failed", `Cannot read stdin: ${reasonOf(error)}`, { cause: error });
    await new Promise((resolve) => setTimeout(resolve, 10));
    return new Uint8Array(0);
  }
}
