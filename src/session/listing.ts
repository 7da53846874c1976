// The sessions of the store as lists show them: newest first.

import { allStoredSessions, sessionDirectory, storedSessions } from "./store.ts";
import { type SessionSummary, summariseSession } from "./summary.ts";

export interface ListRequest {
  readonly store: string;
  /** Only sessions of this directory; left out: of all. */
  readonly cwd?: string;
}

/** Reads head and tail of each session file, no more. */
export function listSessions({ store, cwd }: ListRequest): readonly SessionSummary[] {
  const files = cwd === undefined ? allStoredSessions(store) : storedSessions(sessionDirectory(store, cwd));
  return newestFirst(files.flatMap(({ path }) => summariseSession(path) ?? []));
}

/** By the time of the last write; ids, which begin with a time, decide between equals. */
export function newestFirst(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  return sessions.toSorted((a, b) =>
    a.modified === b.modified ? (a.id < b.id ? 1 : -1) : a.modified < b.modified ? 1 : -1,
  );
}
