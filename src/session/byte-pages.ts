// Many short pieces of bytes, one after another in pages: no object for each, and nothing is copied when they grow.

const PAGE_BYTES = 1 << 12;
/** Of the first page: mostly there is little. */
const FIRST_BYTES = 1 << 7;
/** Length byte of a piece that is longer than one byte can say; four bytes with its length follow. */
const LONG = 255;

interface ByteRange {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

export interface BytePages {
  readonly memoryBytes: number;
  /** Copies a piece; gives its place. */
  add(piece: ByteRange): number;
  /** The piece at a place that `add` gave. */
  range(place: number): ByteRange;
}

export function createBytePages(): BytePages {
  const pages: Uint8Array[] = [];
  let page = new Uint8Array(0);
  let pageEnd = 0;
  let memoryBytes = 0;
  return {
    get memoryBytes() {
      return memoryBytes;
    },
    add({ bytes, start, end }) {
      const length = end - start;
      const need = length < LONG ? length + 1 : length + 5;
      if (pageEnd + need > page.length) {
        page = new Uint8Array(Math.max(pages.length === 0 ? FIRST_BYTES : PAGE_BYTES, need));
        pages.push(page);
        memoryBytes += page.length;
        pageEnd = 0;
      }
      const place = (pages.length - 1) * PAGE_BYTES + pageEnd;
      page[pageEnd] = Math.min(length, LONG);
      if (length >= LONG) new DataView(page.buffer).setUint32(pageEnd + 1, length);
      page.set(bytes.subarray(start, end), pageEnd + need - length);
      pageEnd += need;
      return place;
    },
    range(place) {
      const bytes = pages[Math.floor(place / PAGE_BYTES)] ?? new Uint8Array(0);
      const at = place % PAGE_BYTES;
      const length = bytes[at] ?? 0;
      if (length < LONG) return { bytes, start: at + 1, end: at + 1 + length };
      const long = new DataView(bytes.buffer).getUint32(at + 1);
      return { bytes, start: at + 5, end: at + 5 + long };
    },
  };
}
