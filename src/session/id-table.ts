// A set of ids that numbers them in the order of their coming. Ids are compared whole, not by their hashes. The usual id,
// 8 hex digits, is kept as the number that it is and takes some 15 bytes in all, others take 16 more than they have
// characters: a file of any length can be checked in the memory of its ids alone.

import { createBytePages } from "./byte-pages.ts";

const DECODER = new TextDecoder();
const ENCODER = new TextEncoder();

const SEGMENT_BITS = 14;
const SEGMENT = 1 << SEGMENT_BITS;
/** A table of fewer slots grows fourfold: room is cheap there, and putting all in again is not. */
const QUICK_SLOTS = 1 << 14;
/** What `hexValue` gives for an id that is not 8 hex digits. */
const OTHER = -1;

/** An id as bytes of a block. */
export interface IdBytes {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

export interface IdTable {
  readonly size: number;
  /** How much memory the table takes. */
  readonly memoryBytes: number;
  /** Number of the id; a new one gets the next number, from 0. */
  add(id: IdBytes): number;
  /** Number of the id, or -1. */
  find(id: IdBytes): number;
  /** Whether that is the id of that number. */
  is(number: number, id: IdBytes): boolean;
  /** Text of the id of that number. */
  text(number: number): string;
}

export function createIdTable(): IdTable {
  /** By hash: the id's number plus one; 0 is free. */
  let slots = new Uint32Array(64);
  /** By number: the id's value, or where it stands in `others`. In pieces, so that a large table copies nothing. */
  const values: Uint32Array[] = [];
  /** By number, a bit each: whether it stands in `others`. */
  let otherBits = new Uint8Array(8);
  const others = createBytePages();
  let size = 0;

  const storedAt = (number: number): number => values[number >>> SEGMENT_BITS]?.[number & (SEGMENT - 1)] ?? 0;
  const isOther = (number: number): boolean => ((otherBits[number >>> 3] ?? 0) & (1 << (number & 7))) !== 0;

  const isSame = (number: number, id: IdBytes, hex: number): boolean => {
    if (isOther(number)) return hex === OTHER && sameBytes(others.range(storedAt(number)), id);
    return hex === storedAt(number);
  };

  /** The slot that holds the id, or the free one where it belongs. */
  const slotOf = (id: IdBytes, hex: number): number => {
    const mask = slots.length - 1;
    for (let slot = (hex === OTHER ? hashOf(id) : mixed(hex)) & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot] ?? 0;
      if (number === 0 || isSame(number - 1, id, hex)) return slot;
    }
  };

  /** The piece that the next value goes into. */
  const lastPiece = (): Uint32Array => {
    const piece = values[size >>> SEGMENT_BITS];
    const at = size & (SEGMENT - 1);
    if (piece !== undefined && at < piece.length) return piece;
    // The first one begins small: most tables are.
    const larger = new Uint32Array(size < SEGMENT ? Math.max(32, at * 2) : SEGMENT);
    if (piece !== undefined) larger.set(piece);
    values[size >>> SEGMENT_BITS] = larger;
    return larger;
  };

  const store = (id: IdBytes, hex: number): void => {
    lastPiece()[size & (SEGMENT - 1)] = hex === OTHER ? others.add(id) : hex;
    if (hex === OTHER) {
      while (size >>> 3 >= otherBits.length) otherBits = doubled(otherBits);
      otherBits[size >>> 3] = (otherBits[size >>> 3] ?? 0) | (1 << (size & 7));
    }
    size += 1;
  };

  const rehash = (): void => {
    const mask = slots.length * (slots.length < QUICK_SLOTS ? 4 : 2) - 1;
    slots = new Uint32Array(mask + 1);
    for (let number = 0; number < size; number++) {
      const value = storedAt(number);
      // All of them differ: only a free slot is looked for.
      let slot = (isOther(number) ? hashOf(others.range(value)) : mixed(value)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
  };

  return {
    get size() {
      return size;
    },
    get memoryBytes() {
      const pieces = values.reduce((sum, piece) => sum + piece.byteLength, 0);
      return slots.byteLength + pieces + otherBits.length + others.memoryBytes;
    },
    add(id) {
      const hex = hexValue(id);
      const slot = slotOf(id, hex);
      const found = slots[slot] ?? 0;
      if (found > 0) return found - 1;
      store(id, hex);
      slots[slot] = size;
      if (size * 4 > slots.length * 3) rehash();
      return size - 1;
    },
    is: (number, id) => number >= 0 && number < size && isSame(number, id, hexValue(id)),
    find: (id) => (slots[slotOf(id, hexValue(id))] ?? 0) - 1,
    text(number) {
      if (!isOther(number)) return storedAt(number).toString(16).padStart(8, "0");
      const { bytes, start, end } = others.range(storedAt(number));
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

/** The value of 8 digits of lower case hex, which writes as the same 8 digits again; `OTHER` for anything else. */
function hexValue({ bytes, start, end }: IdBytes): number {
  if (end - start !== 8) return OTHER;
  let value = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    const digit =
      byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : 16;
    if (digit === 16) return OTHER;
    value = (value << 4) | digit;
  }
  return value >>> 0;
}

function hashOf(id: IdBytes): number {
  let hash = 0x811c9dc5;
  for (let at = id.start; at < id.end; at++) hash = Math.imul(hash ^ (id.bytes[at] ?? 0), 0x01000193);
  return mixed(hash);
}

function mixed(value: number): number {
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

function sameBytes(a: IdBytes, b: IdBytes): boolean {
  const length = a.end - a.start;
  if (length !== b.end - b.start) return false;
  for (let at = 0; at < length; at++) if (a.bytes[a.start + at] !== b.bytes[b.start + at]) return false;
  return true;
}

function doubled(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2);
  larger.set(bytes);
  return larger;
}
