// Names of source objects (UUIDs) → their place in the file, in twenty-four bytes each; and places → entries. Names are
// kept as 64-bit hashes: a collision among millions would misplace one rewind, never lose a message.

/** Where entries came from, in order, so that the entry at or before a source object can be found. */
export interface Ordinals {
  /** Gives the object the next ordinal. */
  next(name: string | undefined): number;
  /** The ordinal of a name; undefined for one that has not come. */
  of(name: string): number | undefined;
  /** An entry was made from the object with this ordinal. Ordinals must not fall. */
  placed(ordinal: number, entryId: string): void;
  /** The last entry made from this object or one before it; null if there is none. */
  entryAt(ordinal: number): string | null;
}

export function createOrdinals(): Ordinals {
  const names = createNameTable();
  const placed = createPairs();
  let last = 0;
  return {
    next(name) {
      last += 1;
      if (name !== undefined) names.set(name, last);
      return last;
    },
    of: names.get,
    placed: (ordinal, entryId) => placed.push(ordinal, Number.parseInt(entryId, 16)),
    entryAt(ordinal) {
      const id = placed.valueAt(ordinal);
      return id === undefined ? null : id.toString(16).padStart(8, "0");
    },
  };
}

interface NameTable {
  set(name: string, value: number): void;
  get(name: string): number | undefined;
}

/** Open addressing over rows of two hash words and a value; value 0 is a free row. */
function createNameTable(): NameTable {
  let rows = new Uint32Array(3 * 1024);
  let size = 0;
  const find = (low: number, high: number): number => {
    const count = rows.length / 3;
    for (let row = low % count; ; row = (row + 1) % count) {
      const at = row * 3;
      if (rows[at + 2] === 0 || (rows[at] === low && rows[at + 1] === high)) return at;
    }
  };
  const grow = () => {
    const old = rows;
    rows = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += 3) {
      if (old[at + 2] !== 0) rows.set(old.subarray(at, at + 3), find(old[at] ?? 0, old[at + 1] ?? 0));
    }
  };
  return {
    set(name, value) {
      if (size * 6 >= rows.length) grow();
      const [low, high] = hashes(name);
      const at = find(low, high);
      if (rows[at + 2] === 0) size += 1;
      rows.set([low, high, value], at);
    },
    get(name) {
      const [low, high] = hashes(name);
      const value = rows[find(low, high) + 2];
      return value === 0 ? undefined : value;
    },
  };
}

function hashes(name: string): readonly [number, number] {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b) ^ (high >>> 15);
  }
  return [low >>> 0, high >>> 0];
}

interface Pairs {
  push(key: number, value: number): void;
  /** The value of the last key that is not above. */
  valueAt(key: number): number | undefined;
}

function createPairs(): Pairs {
  let pairs = new Uint32Array(2048);
  let size = 0;
  return {
    push(key, value) {
      if (size * 2 === pairs.length) {
        const old = pairs;
        pairs = new Uint32Array(old.length * 2);
        pairs.set(old);
      }
      pairs.set([key, value], size * 2);
      size += 1;
    },
    valueAt(key) {
      let low = 0;
      let high = size;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((pairs[middle * 2] ?? 0) <= key) low = middle + 1;
        else high = middle;
      }
      return low === 0 ? undefined : pairs[(low - 1) * 2 + 1];
    },
  };
}
