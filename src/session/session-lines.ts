// A session as lines of version 3, for a file that is rewritten or a pipe: entries that are sound as they stand keep
// their bytes.

import { Buffer } from "node:buffer";
import type { Session } from "./session.ts";

const BATCH_BYTES = 1 << 16;
const NEWLINE = Uint8Array.of(10);

/**
 * The lines of these entries (left out: all, in file order), newlines included, in pieces of some 64 kB.
 */
export function* sessionLines(session: Session, indices?: readonly number[]): Generator<Uint8Array, void> {
  const count = indices?.length ?? session.size;
  let batch: Uint8Array[] = [];
  let size = 0;
  for (let place = 0; place < count; place++) {
    const line = session.lineAt(indices === undefined ? place : (indices[place] ?? 0));
    batch.push(line, NEWLINE);
    size += line.length + 1;
    if (size < BATCH_BYTES && place + 1 < count) continue;
    yield Buffer.concat(batch);
    batch = [];
    size = 0;
  }
}
