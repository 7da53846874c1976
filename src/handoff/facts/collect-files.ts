// Files: how often each was read, written and edited, and which entry touched it last.

import { clip } from "./clip.ts";
import type { FileFact } from "./facts.ts";
import type { FileTouch } from "./tool-call.ts";

/** A name in a call may be anything that a model wrote. */
const PATH_LENGTH = 300;

interface FileState {
  reads: number;
  writes: number;
  edits: number;
  deleted: boolean;
  changedAt: number;
  touchedAt: number;
  entryId: string;
}

export interface FileCollector {
  /** A call that succeeded. `order` rises with every call. */
  touch(touch: FileTouch, order: number, entryId: string): void;
  /** Changed files first, the latest change first; then files that were only read. */
  facts(): readonly FileFact[];
}

export function createFileCollector(): FileCollector {
  const files = new Map<string, FileState>();
  return {
    touch(touch, order, entryId) {
      const path = clip(touch.path, PATH_LENGTH);
      const state = files.get(path) ?? {
        reads: 0,
        writes: 0,
        edits: 0,
        deleted: false,
        changedAt: -1,
        touchedAt: -1,
        entryId,
      };
      files.set(path, state);
      state.touchedAt = order;
      if (touch.kind === "read") {
        state.reads += 1;
        if (state.changedAt < 0) state.entryId = entryId;
        return;
      }
      if (touch.kind === "write") state.writes += 1;
      if (touch.kind === "edit") state.edits += 1;
      state.deleted = touch.kind === "delete";
      state.changedAt = order;
      state.entryId = entryId;
    },
    facts() {
      // A file that was only ever deleted by a clean-up of what the session itself never made still is a change.
      return [...files]
        .sort(([, a], [, b]) => b.changedAt - a.changedAt || b.touchedAt - a.touchedAt)
        .map(([path, { reads, writes, edits, deleted, entryId }]) => ({
          path,
          reads,
          writes,
          edits,
          deleted,
          entryId,
        }));
    },
  };
}

/** Whether the session changed it. */
export function isChanged(file: FileFact): boolean {
  return file.writes + file.edits > 0 || file.deleted;
}
