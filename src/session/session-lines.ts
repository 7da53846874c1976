// A session as lines of version 3, for a file that is rewritten or a pipe: entries that are sound as they stand keep
// their bytes.

import { Buffer } from "node:buffer";
import { encodeEntry } from "./codec.ts";
import type { Session } from "./session.ts";

const BATCH_BYTES = 1 << 16;
const NEWLINE = Uint8Array.of(10);

/**
 * The lines of these entries (a branch, root first; left out: all, in file order), newlines included, in pieces of some
 * 64 kB. Lines that are not JSON are left out: they are among the session's problems. Of a branch every entry hangs on the
 * one before it.
 */
export function* sessionLines(session: Session, indices?: readonly number[]): Generator<Uint8Array, void> {
  const count = indices?.length ?? session.size;
  let batch: Uint8Array[] = [];
  let size = 0;
  let leaf: string | null = null;
  for (let place = 0; place < count; place++) {
    const at = indices === undefined ? place : (indices[place] ?? 0);
    const line = indices === undefined ? session.lineAt(at) : lineAfter(session, at, leaf);
    if (line !== undefined) {
      batch.push(line, NEWLINE);
      leaf = session.row(at).id;
    }
    size += (line?.length ?? 0) + 1;
    if (size < BATCH_BYTES && place + 1 < count) continue;
    yield Buffer.concat(batch);
    batch = [];
    size = 0;
  }
}

/** An entry's line as the next of a branch: with another parent where it names one that is not there. */
function lineAfter(session: Session, at: number, leaf: string | null): Uint8Array | undefined {
  const line = session.lineAt(at);
  if (line === undefined || session.row(at).parentId === leaf) return line;
  return new TextEncoder().encode(encodeEntry({ ...session.entryAt(at), parentId: leaf }));
}

/** The last entry of a branch whose line can be written; null for none. */
export function lastWritten(session: Session, indices: readonly number[]): string | null {
  const last = indices.findLast((at) => session.lineAt(at) !== undefined);
  return last === undefined ? null : session.row(last).id;
}
