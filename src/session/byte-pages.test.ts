import { expect, test } from "bun:test";
import fc from "fast-check";
import { createBytePages } from "./byte-pages.ts";

test("createBytePages() gives every piece back, whatever came before and after it", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.nat(10_000).map((length) => new Uint8Array(length).fill(7)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const pages = createBytePages();
      const places = pieces.map((bytes) => pages.add({ bytes, start: 0, end: bytes.length }));
      const found = places.map((place) => {
        const { bytes, start, end } = pages.range(place);
        return bytes.slice(start, end);
      });
      expect(found).toEqual(pieces);
    }),
  );
});
