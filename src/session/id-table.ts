// A set of ids that numbers them in the order of their coming. The bytes are compared, not only their hashes, and an id
// of 8 characters takes some 25 bytes in all: a file of any length can be checked in the memory of its ids alone.

const DECODER = new TextDecoder();
const ENCODER = new TextEncoder();

const PAGE_BYTES = 1 << 12;
/** Length byte of an id that is longer than one byte can say; four bytes with its length follow. */
const LONG = 255;

/** An id as bytes of a block. */
export interface IdBytes {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

export interface IdTable {
  readonly size: number;
  /** Number of the id; a new one gets the next number, from 0. */
  add(id: IdBytes): number;
  /** Number of the id, or -1. */
  find(id: IdBytes): number;
  /** Text of the id of that number. */
  text(number: number): string;
}

export function createIdTable(): IdTable {
  let slots = new Uint32Array(64);
  let places = new Uint32Array(32);
  const pages: Uint8Array[] = [];
  let pageEnd = PAGE_BYTES;
  let size = 0;

  const pageOf = (place: number): Uint8Array => pages[Math.floor(place / PAGE_BYTES)] ?? new Uint8Array(0);

  const range = (number: number): IdBytes => {
    const place = places[number] ?? 0;
    const bytes = pageOf(place);
    const at = place % PAGE_BYTES;
    const length = bytes[at] ?? 0;
    if (length < LONG) return { bytes, start: at + 1, end: at + 1 + length };
    const long = new DataView(bytes.buffer).getUint32(at + 1);
    return { bytes, start: at + 5, end: at + 5 + long };
  };

  /** The slot that holds the id, or the free one where it belongs. */
  const slotOf = (id: IdBytes): number => {
    const mask = slots.length - 1;
    for (let slot = hashOf(id) & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot] ?? 0;
      if (number === 0 || sameBytes(range(number - 1), id)) return slot;
    }
  };

  const store = (id: IdBytes): void => {
    const length = id.end - id.start;
    const need = length < LONG ? length + 1 : length + 5;
    if (pageEnd + need > PAGE_BYTES) {
      pages.push(new Uint8Array(Math.max(PAGE_BYTES, need)));
      pageEnd = 0;
    }
    const page = pages[pages.length - 1] ?? new Uint8Array(0);
    if (size === places.length) places = grown(places);
    places[size] = (pages.length - 1) * PAGE_BYTES + pageEnd;
    page[pageEnd] = Math.min(length, LONG);
    if (length >= LONG) new DataView(page.buffer).setUint32(pageEnd + 1, length);
    page.set(id.bytes.subarray(id.start, id.end), pageEnd + need - length);
    pageEnd += need;
    size += 1;
  };

  const rehash = (): void => {
    slots = new Uint32Array(slots.length * 2);
    for (let number = 0; number < size; number++) slots[slotOf(range(number))] = number + 1;
  };

  return {
    get size() {
      return size;
    },
    add(id) {
      const slot = slotOf(id);
      const found = slots[slot] ?? 0;
      if (found > 0) return found - 1;
      store(id);
      slots[slot] = size;
      if (size * 4 > slots.length * 3) rehash();
      return size - 1;
    },
    find: (id) => (slots[slotOf(id)] ?? 0) - 1,
    text(number) {
      const { bytes, start, end } = range(number);
      return DECODER.decode(bytes.subarray(start, end));
    },
  };
}

/** The bytes of an id that is at hand as text. */
export function idBytes(text: string): IdBytes {
  const bytes = ENCODER.encode(text);
  return { bytes, start: 0, end: bytes.length };
}

/**
 * Ids as bytes, one after another in the same memory: what it gave before is gone at the next call. For loops over many
 * ids, where an array for each would be most of the work.
 */
export function reusedIdBytes(): (text: string) => IdBytes {
  const bytes = new Uint8Array(256);
  return (text) => {
    if (text.length * 3 > bytes.length) return idBytes(text);
    return { bytes, start: 0, end: ENCODER.encodeInto(text, bytes).written };
  };
}

function hashOf(id: IdBytes): number {
  let hash = 0x811c9dc5;
  for (let at = id.start; at < id.end; at++) hash = Math.imul(hash ^ (id.bytes[at] ?? 0), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}

function sameBytes(a: IdBytes, b: IdBytes): boolean {
  const length = a.end - a.start;
  if (length !== b.end - b.start) return false;
  for (let at = 0; at < length; at++) if (a.bytes[a.start + at] !== b.bytes[b.start + at]) return false;
  return true;
}

function grown(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
