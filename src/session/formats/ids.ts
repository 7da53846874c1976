// Ids of converted entries: 8 hex characters from line and content, unique in their file, the same at every reading.
// Four bytes are kept for each id, in a table of numbers.

export interface IdMaker {
  make(line: number, content: string): string;
}

/** Ids for one file. */
export function createIdMaker(): IdMaker {
  let table = new Uint32Array(1024);
  let size = 0;
  const insert = (id: number): boolean => {
    const mask = table.length - 1;
    for (let at = id & mask; ; at = (at + 1) & mask) {
      if (table[at] === id) return false;
      if (table[at] !== 0) continue;
      table[at] = id;
      return true;
    }
  };
  const grow = () => {
    const old = table;
    table = new Uint32Array(old.length * 2);
    for (const id of old) if (id !== 0) insert(id);
  };
  return {
    make(line, content) {
      if (size * 2 >= table.length) grow();
      let id = hashOf(line, content);
      while (id === 0 || !insert(id)) id = (id + 0x9e3779b9) >>> 0;
      size += 1;
      return id.toString(16).padStart(8, "0");
    },
  };
}

/** How much of a content's beginning and end goes into its id. */
const SAMPLE = 512;

/** FNV-1a, 32 bits, over the line's number, the content's length and a sample of it. */
export function hashOf(line: number, content: string): number {
  const sample = content.length <= SAMPLE * 2 ? content : content.slice(0, SAMPLE) + content.slice(-SAMPLE);
  const text = `${line}:${content.length}:${sample}`;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
