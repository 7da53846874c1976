// Entries one after another: ids, parents and times. Each entry follows the one before it, except after a rewind.

import type { Entry, NewEntry } from "../entry.ts";
import { createIdMaker } from "./ids.ts";
import type { Place } from "./output.ts";
import { isoTime } from "./times.ts";

export interface Placed {
  readonly entry: Entry;
  readonly line: number;
  /** False after a rewind. */
  readonly afterLast: boolean;
}

export interface EntryChain {
  /** Makes the entry and puts it at the end. `make` gets the entry's id and time (Unix ms). */
  place(at: Place, make: (id: string, time: number) => NewEntry): Placed;
  rewindTo(parentId: string | null): void;
  readonly leafId: string | null;
  /** The time of a source that told none so far. */
  startAt(timestamp: string | undefined): void;
}

/** An empty chain. */
export function createEntryChain(): EntryChain {
  const ids = createIdMaker();
  let leafId: string | null = null;
  let parentId: string | null = null;
  let lastTime: string | undefined;
  return {
    place(at, make) {
      const timestamp = isoTime(at.timestamp) ?? lastTime ?? new Date(0).toISOString();
      const id = ids.make(at.source.line, at.source.text);
      const entry: Entry = { ...make(id, Date.parse(timestamp)), id, parentId, timestamp };
      const afterLast = parentId === leafId;
      lastTime = timestamp;
      leafId = id;
      parentId = id;
      return { entry, line: at.source.line, afterLast };
    },
    rewindTo(id) {
      parentId = id;
    },
    get leafId() {
      return leafId;
    },
    startAt(timestamp) {
      lastTime ??= isoTime(timestamp);
    },
  };
}
