// The tree of entries. A branch is the path from an entry to the root; the walk never hangs, and never drops history
// silently: a link that cannot be followed falls back to the entry before in the file, and is reported.

import type { Entry, SessionProblem } from "./entry.ts";
import { problemAt } from "./problems.ts";
import type { Session } from "./session.ts";

/** A branch by the numbers of its entries in the file. */
export interface BranchWalk {
  /** Root first. */
  readonly indices: readonly number[];
  /** Broken links on this branch. */
  readonly problems: readonly SessionProblem[];
}

/** The entries from the root to `leafId` (left out: the session's leaf), each decoded when it is asked for. */
export function* getBranch(session: Session, leafId?: string | null): Generator<Entry, void> {
  for (const index of walkBranch(session, leafId).indices) yield session.entryAt(index);
}

/**
 * Walks from `leafId` (left out: the session's leaf) to the root without decoding anything. An id that the
 * session does not have gives an empty branch. Where a walk comes back to an entry, it goes on at the entry that stands
 * in the file before the earliest one seen so far: each entry is on the path once, and the walk ends.
 */
export function walkBranch(session: Session, leafId: string | null = session.leafId): BranchWalk {
  const indices: number[] = [];
  const problems: SessionProblem[] = [];
  const visited = new Uint8Array(session.size);
  let at = leafId === null ? -1 : (session.indexOf(leafId) ?? -1);
  let earliest = session.size;
  while (at >= 0) {
    if (visited[at] === 1) {
      const { line, id } = session.row(at);
      problems.push(problemAt(line, "cycle", `the entry "${id}" is its own ancestor`));
      at = earliest - 1;
      continue;
    }
    visited[at] = 1;
    earliest = Math.min(earliest, at);
    indices.push(at);
    const problem = session.linkProblem(at);
    if (problem !== undefined) problems.push(problem);
    at = session.parentAt(at);
  }
  return { indices: indices.reverse(), problems };
}
