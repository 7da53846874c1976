// The sessions of the store as lists show them: newest first.

import { summariseFile } from "./agent-summary.ts";
import { allStoredSessions, sessionDirectory, storedSessions } from "./store.ts";
import { type SessionSummary, summariseSession } from "./summary.ts";

export interface ListRequest {
  readonly store: string;
  /** Only sessions of this directory; left out: of all. */
  readonly cwd?: string;
}

/** Reads head and tail of each session file, no more. Another agent's file that lies in the store is listed too. */
export async function listSessions({ store, cwd }: ListRequest): Promise<readonly SessionSummary[]> {
  const files = cwd === undefined ? allStoredSessions(store) : storedSessions(sessionDirectory(store, cwd));
  const found: SessionSummary[] = [];
  for (const { path } of files) {
    // Nearly all files of the store are ours, and say so at once; the others are looked at closely.
    const summary = summariseSession(path, { headerless: false }) ?? (await summariseFile(path));
    if (summary !== undefined) found.push(summary);
  }
  return newestFirst(found);
}

/** By the time of the last write; ids, which begin with a time, decide between equals. */
function newestFirst(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  return sessions.toSorted((a, b) =>
    a.modified === b.modified ? (a.id < b.id ? 1 : -1) : a.modified < b.modified ? 1 : -1,
  );
}
