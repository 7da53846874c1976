// The end of a session that is being written: new entries get their ids, parents and times from it.

import type { Entry } from "./entry.ts";
import { newEntryId } from "./ids.ts";
import type { AppendEntry } from "./session.ts";

export interface EntryTail {
  /** The entry that the next one goes after. */
  readonly leafId: string | null;
  /** Entries as they will stand in the file; nothing is taken as written yet. */
  complete(wanted: readonly AppendEntry[]): readonly Entry[];
  /** They were written: the last one is the leaf. */
  advance(entries: readonly Entry[]): void;
}

export interface TailStart {
  readonly leafId: string | null;
  /** Whether the session has that id already. */
  readonly known: (id: string) => boolean;
}

export function createEntryTail(start: TailStart): EntryTail {
  const written = new Set<string>();
  let leafId = start.leafId;
  return {
    get leafId() {
      return leafId;
    },
    complete(wanted) {
      const fresh = new Set<string>();
      let parent = leafId;
      return wanted.map((entry) => {
        const id =
          entry.id ?? newEntryId((known) => written.has(known) || fresh.has(known) || start.known(known));
        const placed = placeEntry(entry, id, parent);
        fresh.add(id);
        parent = id;
        return placed;
      });
    },
    advance(entries) {
      for (const entry of entries) written.add(entry.id);
      leafId = entries.at(-1)?.id ?? leafId;
    },
  };
}

function placeEntry(entry: AppendEntry, id: string, parent: string | null): Entry {
  const parentId = entry.parentId === undefined ? parent : entry.parentId;
  const placed = { ...entry, id, parentId, timestamp: new Date().toISOString() };
  if (placed.type !== "compaction" || placed.firstKeptEntryId !== "") return placed;
  return { ...placed, firstKeptEntryId: id };
}
