// Chunks of bytes → lines of bytes. A line ends at `\n` only (U+2028 is text); a `\r` before it is dropped, and a
// byte-order mark at the start. A chunk may end anywhere, inside a character too. Nothing is copied but the lines that
// stand on the border of two chunks.

import { open } from "node:fs/promises";

const NEWLINE = 10;
const RETURN = 13;
const CHUNK_BYTES = 256 << 10;

/** Some whole lines of a stream. The bytes always end with a newline; `ended` is false where one had to be added. */
export interface LineBlock {
  readonly bytes: Uint8Array;
  readonly ended: boolean;
}

/** Cuts a stream into blocks of whole lines. Chunks are kept as they are: their memory must not be used again. */
export async function* lineBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LineBlock, void> {
  let pending: Uint8Array[] = [];
  let atStart = true;
  const cleaned = (bytes: Uint8Array): Uint8Array => {
    const first = atStart;
    atStart = false;
    return first && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  };
  for await (const chunk of chunks) {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last < 0) {
      if (chunk.length > 0) pending.push(chunk);
      continue;
    }
    let start = 0;
    if (pending.length > 0) {
      start = chunk.indexOf(NEWLINE) + 1;
      yield { bytes: cleaned(joined([...pending, chunk.subarray(0, start)])), ended: true };
    }
    if (last >= start) yield { bytes: cleaned(chunk.subarray(start, last + 1)), ended: true };
    pending = last + 1 < chunk.length ? [chunk.subarray(last + 1)] : [];
  }
  if (pending.length === 0) return;
  yield { bytes: cleaned(joined([...pending, Uint8Array.of(NEWLINE)])), ended: false };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

export interface ByteLine {
  /** Without its line end. A view: it may share its memory with other lines. */
  readonly bytes: Uint8Array;
  /** From 1. */
  readonly number: number;
  /** False for a last line without a newline. */
  readonly ended: boolean;
}

/** The lines of a stream, empty ones included, with their numbers. A last line without newline comes too. */
export async function* byteLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ByteLine, void> {
  for await (const lines of byteLineBatches(chunks)) yield* lines;
}

/** The same lines, as many at a time as came together: waiting for each line costs as much as reading it. */
export async function* byteLineBatches(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Iterable<ByteLine>, void> {
  let number = 0;
  function* linesOf({ bytes, ended }: LineBlock): Generator<ByteLine, void> {
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(NEWLINE, start);
      number += 1;
      yield { bytes: bytes.subarray(start, withoutReturn(bytes, start, end)), number, ended };
      start = end + 1;
    }
  }
  for await (const block of lineBlocks(chunks)) yield linesOf(block);
}

/** Where the line from `start` to its newline at `end` really ends. */
export function withoutReturn(bytes: Uint8Array, start: number, end: number): number {
  return end > start && bytes[end - 1] === RETURN ? end - 1 : end;
}

/** A file's bytes in chunks of new memory, in order; one is read ahead. Rejects as `open` and `read` do. */
export async function* fileChunks(path: string): AsyncGenerator<Uint8Array, void> {
  const file = await open(path, "r");
  let ahead: Promise<unknown> = Promise.resolve();
  try {
    // One byte more than the file, so that a small one is read at once.
    const length = Math.max(Math.min(CHUNK_BYTES, (await file.stat()).size + 1), 4096);
    let next = file.read(new Uint8Array(length));
    for (;;) {
      ahead = next;
      const { bytesRead, buffer } = await next;
      if (bytesRead === 0) return;
      next = file.read(new Uint8Array(length));
      ahead = next;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    // A read that nobody waits for any more still uses the file.
    await ahead.catch(() => {});
    await file.close();
  }
}
