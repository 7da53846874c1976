// Ids of converted entries: derived from line and content, unique in their file, kept as four bytes each in a table.

import { derivedEntryId } from "../ids.ts";

export interface IdMaker {
  make(line: number, content: string): string;
}

/** How much of a content's beginning and end goes into its id. */
const SAMPLE = 512;

/** Ids for one file. */
export function createIdMaker(): IdMaker {
  let table = new Uint32Array(1024);
  let size = 0;
  /** Where the id is, or where it would be. */
  const find = (id: number): number => {
    const mask = table.length - 1;
    let at = id & mask;
    while (table[at] !== 0 && table[at] !== id) at = (at + 1) & mask;
    return at;
  };
  const grow = () => {
    const old = table;
    table = new Uint32Array(old.length * 2);
    for (const id of old) if (id !== 0) table[find(id)] = id;
  };
  const taken = (text: string) => {
    const id = Number.parseInt(text, 16);
    return id === 0 || table[find(id)] === id;
  };
  return {
    make(line, content) {
      if (size * 2 >= table.length) grow();
      const sample = sampleOf(content);
      const first = derivedEntryId(line, sample, () => false);
      // A document may stand on one line: its entries differ by their number, not by hashing on and on.
      const id = taken(first) ? derivedEntryId(line, `${size}:${sample}`, taken) : first;
      const number = Number.parseInt(id, 16);
      table[find(number)] = number;
      size += 1;
      return id;
    },
  };
}

function sampleOf(content: string): string {
  if (content.length <= SAMPLE * 2) return content;
  return `${content.length}:${content.slice(0, SAMPLE)}${content.slice(-SAMPLE)}`;
}
