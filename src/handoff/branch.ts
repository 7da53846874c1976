// The branch of a session, one entry at a time: what was looked at can be let go, so that a session of any size is read
// in the memory of its index and one entry.
//
// This folder: facts/ reads a branch into facts, each with its entry. lines.ts and the files beside it (*-lines.ts) make
// lines of them, select.ts keeps what fits, offline.ts and evidence-text.ts print them. generate.ts asks a model, with
// lifecycle.ts, prompt.ts and capture.ts; sections.ts, claims.ts and model-document.ts check its text. redact.ts takes
// secrets out, transfer.ts makes the new session.

import type { Entry } from "../session/entry.ts";
import type { Session } from "../session/session.ts";
import { walkBranch } from "../session/tree.ts";

/** The entries of the active branch, root first, each decoded when it is asked for. */
export function* branchOf(session: Session): Generator<Entry, void> {
  for (const index of walkBranch(session).indices) yield session.entryAt(index);
}

/** How many entries of the active branch are messages: with fewer than two there is nothing to hand off. */
export function messagesOnBranch(session: Session): number {
  return walkBranch(session).indices.filter((index) => session.typeAt(index) === "message").length;
}
