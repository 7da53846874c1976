// The tree of entries. A branch is the path from an entry to the root; the walk never hangs, and never drops history
// silently: a link that cannot be followed falls back to the entry before in the file, and is reported.

import type { Entry, SessionProblem } from "./entry.ts";
import { problemAt } from "./problems.ts";
import type { Session } from "./session.ts";

export interface Branch {
  /** Root first. */
  readonly entries: readonly Entry[];
  readonly problems: readonly SessionProblem[];
}

/** The entries from the root to `leafId` (left out: the session's leaf). */
export function getBranch(session: Session, leafId: string | null = session.leafId): readonly Entry[] {
  return walkBranch(session, leafId).entries;
}

/** The branch, and what the walk found on it. */
export function walkBranch(session: Session, leafId: string | null = session.leafId): Branch {
  const positions = new Map<string, number>();
  for (let index = 0; index < session.size; index++) positions.set(session.row(index).id, index);
  const problems: SessionProblem[] = [];
  const path: Entry[] = [];
  const visited = new Set<number>();
  let at = leafId === null ? undefined : positions.get(leafId);
  let earliest = session.size;
  while (at !== undefined && at >= 0) {
    const row = session.row(at);
    if (visited.has(at)) {
      problems.push(problemAt(row.line, "cycle", `entry ${row.id} is its own ancestor`));
      at = earliest - 1;
      continue;
    }
    visited.add(at);
    earliest = Math.min(earliest, at);
    const entry = session.entry(row.id);
    if (entry !== undefined) path.push(entry);
    if (row.parentId === null) break;
    const parent = positions.get(row.parentId);
    if (parent === undefined)
      problems.push(problemAt(row.line, "missing-parent", `parent ${row.parentId} is not in the file`));
    at = parent ?? at - 1;
  }
  return { entries: path.reverse(), problems };
}
