// Gives equal lists of integers equal numbers, so that sets of threads are compared and stored as one number.

/** Lists of integers, each kept once. Numbers are given in order from 0. */
export class InternTable {
  /** About the bytes that the lists take. */
  bytes = 0;
  readonly #lists: Int32Array[] = [];
  readonly #hashes: number[] = [];
  /** Open addressing; a slot holds a number plus 1, or 0. */
  #slots = new Int32Array(64);

  get size(): number {
    return this.#lists.length;
  }

  /** The number of a list. The table keeps the array: the caller must not write to it afterwards. */
  intern(list: Int32Array): number {
    const hash = hashOf(list);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let held = this.#slots[slot] ?? 0; held !== 0; held = this.#slots[slot] ?? 0) {
      if (this.#hashes[held - 1] === hash && sameList(this.get(held - 1), list)) return held - 1;
      slot = (slot + 1) & mask;
    }
    const number = this.#lists.push(list) - 1;
    this.#hashes.push(hash);
    this.#slots[slot] = number + 1;
    this.bytes += LIST_OVERHEAD + 4 * list.length;
    if (2 * this.#lists.length > this.#slots.length) this.#grow();
    return number;
  }

  get(number: number): Int32Array {
    const list = this.#lists[number];
    if (list === undefined) throw new RangeError(`no list has the number ${number}`);
    return list;
  }

  #grow(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    this.#hashes.forEach((hash, number) => {
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    });
    this.#slots = slots;
  }
}

/** A typed array's header, its hash and its slots, rounded up. */
const LIST_OVERHEAD = 120;

/** FNV-1a over the integers, with a shift so that the low bits feel the high ones. */
function hashOf(list: Int32Array): number {
  let hash = 0x811c9dc5 ^ list.length;
  for (let k = 0; k < list.length; k++) {
    hash = Math.imul(hash ^ (list[k] ?? 0), 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash & 0x7fffffff;
}

function sameList(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
