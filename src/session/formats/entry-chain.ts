// Entries one after another: ids, parents and times. Each entry follows the one before it, except after a rewind.

import type { Entry, NewEntry } from "../entry.ts";
import { createIdMaker } from "./ids.ts";
import type { Place } from "./output.ts";
import { isoTime } from "./times.ts";

/** Stands for a time that nothing has told yet. */
export const NO_TIME = new Date(0).toISOString();

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
      const told = isoTime(at.timestamp) ?? lastTime;
      const timestamp = told ?? NO_TIME;
      const id = ids.make(at.source.line, at.source.text);
      const entry: Entry = { ...make(id, Date.parse(timestamp)), id, parentId, timestamp };
      const afterLast = parentId === leafId;
      lastTime = told;
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
