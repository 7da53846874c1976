// The files of a patch in the `*** Begin Patch` form.

import type { ShellChange } from "./shell-files.ts";

const MARK = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$|^\*\*\* Move to: (.+?)\s*$/gm;
const KIND = { Add: "write", Update: "edit", Delete: "delete" } as const;

/** What the patch adds, changes, removes and moves. */
export function patchChanges(patch: string): readonly ShellChange[] {
  return [...patch.matchAll(MARK)].flatMap(([, verb, path, moved]): readonly ShellChange[] => {
    if (moved !== undefined) return [{ path: moved, kind: "write" }];
    const kind = verb === "Add" || verb === "Update" || verb === "Delete" ? KIND[verb] : undefined;
    return kind === undefined || path === undefined ? [] : [{ path, kind }];
  });
}
