// Chunks of bytes → lines of bytes. A line ends at `\n` only (U+2028 is text); a `\r` before it is dropped, and a
// byte-order mark at the start. A chunk may end anywhere, inside a character too.

const NEWLINE = 10;
const RETURN = 13;

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
  let number = 0;
  let pending: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      const bytes = joined(pending, chunk.subarray(start, end));
      pending = [];
      number += 1;
      yield { bytes: cleaned(bytes, number), number, ended: true };
      start = end + 1;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  if (pending.length === 0) return;
  number += 1;
  yield { bytes: cleaned(joined(pending, new Uint8Array(0)), number), number, ended: false };
}

/** The pieces of one line as one array, copied only where there is more than one. */
function joined(pieces: readonly Uint8Array[], last: Uint8Array): Uint8Array {
  if (pieces.length === 0) return last;
  let size = last.length;
  for (const piece of pieces) size += piece.length;
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  whole.set(last, offset);
  return whole;
}

function cleaned(bytes: Uint8Array, number: number): Uint8Array {
  const start = number === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const end = bytes[bytes.length - 1] === RETURN ? bytes.length - 1 : bytes.length;
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}

/** A file's bytes in chunks, in order. Rejects as `fs.open` and `fs.read` do. */
export async function* fileChunks(path: string, chunkBytes = 1 << 20): AsyncGenerator<Uint8Array, void> {
  const { open } = await import("node:fs/promises");
  const file = await open(path, "r");
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(chunkBytes), 0, chunkBytes, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
