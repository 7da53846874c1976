// From `parentId` to an entry. A parent is the nearest entry before its child that has the id, so a reused id cannot
// make a cycle; what is not there before is looked for after the whole file was read. Every doubt is a problem.

import type { SessionProblem } from "./entry.ts";
import { createIdTable, type IdBytes, type IdTable, idBytes } from "./id-table.ts";
import { problemAt } from "./problems.ts";

/** A parent as a line names it: `null`, an id, or nothing at all. */
export type ParentName = null | IdBytes | undefined;

export interface Links {
  readonly ids: IdTable;
  /** The last entry with that id, by its number in the file; -1 for none. */
  latest(id: IdBytes): number;
  /**
   * Takes the next entry. Gives the number of its id and its parent: an entry's number, -1 for a root. `line` is for
   * problems.
   */
  add(id: IdBytes, parent: ParentName, line: number): { readonly id: number; readonly parent: number };
  /** Links that could not be followed when they came: the entry, and the parent that it has now. Call once, at the end. */
  settle(): readonly { readonly index: number; readonly parent: number }[];
  /** What an entry's line names as parent, where that is not the id of the entry that it was linked to. */
  named(index: number): string | undefined;
  /** What is wrong with an entry's link or id. */
  problem(index: number): SessionProblem | undefined;
  /** Problems of all links, in the order of their lines. Complete after `settle`. */
  problems(): readonly SessionProblem[];
  /** Circles of links, one problem each, at the line whose link closes it. Call after `settle`. */
  cycles(): readonly SessionProblem[];
}

export function createLinks(): Links {
  const ids = createIdTable();
  /** By number of the id. Not there while no id was used twice: the number of the id is that of the entry. */
  let latest: Int32Array<ArrayBuffer> | undefined;
  let count = 0;
  /** Number of the id of the entry before. */
  let last = -1;
  const open = new Map<number, { readonly name: string; readonly line: number }>();
  const found = new Map<number, SessionProblem>();
  const named = new Map<number, string>();
  /** Of entries whose parent stands after them, or is themselves: every circle has one. */
  const forward = new Map<number, { readonly name: string; readonly line: number }>();
  let parents = new Int32Array(64);
  const reused: SessionProblem[] = [];

  const lookUp = (id: IdBytes): number => {
    const number = ids.find(id);
    return latest === undefined || number < 0 ? number : (latest[number] ?? -1);
  };

  /** Nearly always the parent is the entry before. */
  const parentOf = (parent: IdBytes): number => (ids.is(last, parent) ? count - 1 : lookUp(parent));

  return {
    ids,
    latest: lookUp,
    add(id, parent, line) {
      const index = count;
      const parentIndex = parent === null ? -1 : parent === undefined ? index - 1 : parentOf(parent);
      if (parent !== null && parent !== undefined && parentIndex < 0)
        open.set(index, { name: textOf(parent), line });
      const before = ids.size;
      const number = ids.add(id);
      last = number;
      if (number < before) {
        reused.push(reusedId(ids.text(number), line));
        latest ??= Int32Array.from({ length: Math.max(64, before) }, (_, at) => at);
      }
      if (latest !== undefined) {
        if (number >= latest.length) latest = doubled(latest);
        latest[number] = index;
      }
      if (index >= parents.length) parents = doubled(parents);
      parents[index] = parentIndex;
      count += 1;
      return { id: number, parent: parentIndex };
    },
    settle() {
      const settled: { readonly index: number; readonly parent: number }[] = [];
      for (const [index, link] of open) {
        const { name, line } = link;
        const later = lookUp(idBytes(name));
        if (later < 0) named.set(index, name);
        else forward.set(index, link);
        parents[index] = later < 0 ? index - 1 : later;
        found.set(
          index,
          later < 0
            ? problemAt(line, "missing-parent", `the entry's parent "${name}" is not in the file`)
            : problemAt(line, "later-parent", `the entry's parent "${name}" does not stand before it`),
        );
        settled.push({ index, parent: later < 0 ? index - 1 : later });
      }
      open.clear();
      return settled;
    },
    named: (index) => named.get(index),
    problem: (index) => found.get(index),
    problems: () => [...found.values(), ...reused],
    cycles() {
      if (forward.size === 0) return [];
      const visitedBy = new Int32Array(count).fill(-1);
      return [...forward].flatMap(([start, { name, line }]) => {
        let at = start;
        while (at >= 0 && visitedBy[at] === -1) {
          visitedBy[at] = start;
          at = parents[at] ?? -1;
        }
        if (at < 0 || visitedBy[at] !== start) return [];
        return [problemAt(line, "cycle", `the entry's parent "${name}" is its own ancestor`)];
      });
    },
  };
}

function reusedId(id: string, line: number): SessionProblem {
  return problemAt(line, "reused-id", `the id "${id}" was used before in this file`);
}

const DECODER = new TextDecoder();

function textOf(id: IdBytes): string {
  return DECODER.decode(id.bytes.subarray(id.start, id.end));
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
