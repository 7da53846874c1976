// The branch of a session, one entry at a time: what was looked at can be let go, so that a session of any size is read
// in the memory of one entry.

import type { Entry } from "../session/entry.ts";
import type { Session } from "../session/session.ts";
import { getBranch } from "../session/tree.ts";

/** The entries of the active branch, root first. */
export function branchOf(session: Session): Iterable<Entry> {
  return getBranch(session);
}

/** How many entries of the active branch are messages: with fewer than two there is nothing to hand off. */
export function messagesOnBranch(session: Session): number {
  let count = 0;
  for (const entry of branchOf(session)) if (entry.type === "message") count += 1;
  return count;
}
