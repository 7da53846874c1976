// The rows of the index: a few numbers an entry in one growing array, because a session may hold a million entries.

/** What is known of one entry. Positions are in the block that its line stands in. */
export interface Row {
  /** Number of the id in the id table. */
  readonly id: number;
  /** Number of the type in the type table. */
  readonly type: number;
  /** Line in the source, from 1. */
  readonly line: number;
  /** Number of the block; -1 for an entry that was not read from a line. */
  readonly block: number;
  readonly start: number;
  readonly end: number;
}

export interface Rows {
  readonly length: number;
  /** Row number of the parent; -1 for a root. */
  push(row: Row, parent: number): void;
  row(index: number): Row;
  line(index: number): number;
  type(index: number): number;
  parent(index: number): number;
  setParent(index: number, parent: number): void;
}

const WIDTH = 7;
const [ID, TYPE, LINE, BLOCK, START, END, PARENT] = [0, 1, 2, 3, 4, 5, 6];

export function createRows(): Rows {
  let numbers = new Int32Array(WIDTH * 32);
  let length = 0;
  const at = (index: number, column: number): number => {
    const value = index < 0 || index >= length ? undefined : numbers[index * WIDTH + column];
    if (value === undefined) throw new RangeError(`there is no entry ${index}`);
    return value;
  };
  return {
    get length() {
      return length;
    },
    push(row, parent) {
      const base = length * WIDTH;
      if (base === numbers.length) {
        const larger = new Int32Array(numbers.length * 2);
        larger.set(numbers);
        numbers = larger;
      }
      numbers[base + ID] = row.id;
      numbers[base + TYPE] = row.type;
      numbers[base + LINE] = row.line;
      numbers[base + BLOCK] = row.block;
      numbers[base + START] = row.start;
      numbers[base + END] = row.end;
      numbers[base + PARENT] = parent;
      length += 1;
    },
    row: (index) => ({
      id: at(index, ID),
      type: at(index, TYPE),
      line: at(index, LINE),
      block: at(index, BLOCK),
      start: at(index, START),
      end: at(index, END),
    }),
    line: (index) => at(index, LINE),
    type: (index) => at(index, TYPE),
    parent: (index) => at(index, PARENT),
    setParent(index, parent) {
      if (index >= 0 && index < length) numbers[index * WIDTH + PARENT] = parent;
    },
  };
}
