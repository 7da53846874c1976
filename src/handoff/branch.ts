// Whether there is anything to hand off.
//
// This folder: facts/ reads a branch into facts, each with its entry. lines.ts and the files beside it (*-lines.ts) make
// lines of them, select.ts keeps what fits, offline.ts and evidence-text.ts print them. generate.ts asks a model, with
// lifecycle.ts, prompt.ts and capture.ts; sections.ts, claims.ts and model-document.ts check its text. redact.ts takes
// secrets out, told-before.ts reads a document of ours again, transfer.ts makes the new session. turns.ts parts long work.

import type { Session } from "../session/session.ts";
import { walkBranch } from "../session/tree.ts";

const ENOUGH = 2;

/**
 * How many entries of the active branch are messages that can be read, counted to two: with fewer there is nothing to
 * hand off.
 */
export function messagesOnBranch(session: Session): number {
  let count = 0;
  for (const index of walkBranch(session).indices.toReversed()) {
    // A line that only looks like a message is found when it is decoded.
    if (session.typeAt(index) !== "message" || session.entryAt(index).type !== "message") continue;
    count += 1;
    if (count === ENOUGH) break;
  }
  return count;
}
