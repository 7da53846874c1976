// A session as lines of version 3, for a file that is rewritten or a pipe: entries that are sound as they stand keep
// their bytes.

import { Buffer } from "node:buffer";
import { relinkedLine } from "./raw-line.ts";
import type { Session } from "./session.ts";

const BATCH_BYTES = 1 << 16;
const NEWLINE = Uint8Array.of(10);

/**
 * The lines of these entries (a branch, root first; left out: all, in file order), newlines included, in pieces of some
 * 64 kB. Of a branch every entry hangs on the one before it, also where its own line names a parent that is not there.
 */
export function* sessionLines(session: Session, indices?: readonly number[]): Generator<Uint8Array, void> {
  const count = indices?.length ?? session.size;
  let batch: Uint8Array[] = [];
  let size = 0;
  for (let place = 0; place < count; place++) {
    const line = indices === undefined ? session.lineAt(place) : lineOfBranch(session, indices, place);
    batch.push(line, NEWLINE);
    size += line.length + 1;
    if (size < BATCH_BYTES && place + 1 < count) continue;
    yield Buffer.concat(batch);
    batch = [];
    size = 0;
  }
}

function lineOfBranch(session: Session, indices: readonly number[], place: number): Uint8Array {
  const at = indices[place] ?? 0;
  const before = indices[place - 1];
  const parentId = before === undefined ? null : session.row(before).id;
  const line = session.lineAt(at);
  return session.row(at).parentId === parentId ? line : relinkedLine(line, session.entryAt(at), parentId);
}
