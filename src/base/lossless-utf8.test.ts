import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { losslessDecoder, losslessEncode } from "./lossless-utf8.ts";

function decode(chunks: readonly Uint8Array[]): string {
  const decoder = losslessDecoder();
  return chunks.map((chunk) => decoder.push(chunk)).join("") + decoder.end();
}

/** Bytes cut at every place. */
const singly = (bytes: Uint8Array) => [...bytes].map((byte) => Uint8Array.of(byte));

describe("losslessDecoder() and losslessEncode()", () => {
  test("give back any bytes, however they are cut", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.string({ unit: "binary" }).map((text) => new TextEncoder().encode(text)),
      fc
        .array(fc.constantFrom(0xf0, 0x9f, 0x98, 0x80, 0xe2, 0x82, 0xac, 0xed, 0xa0, 0x41))
        .map((list) => Uint8Array.from(list)),
    );
    fc.assert(
      fc.property(bytes, fc.nat(40), (all, at) => {
        expect(losslessEncode(decode([all.subarray(0, at), all.subarray(at)]))).toEqual(all);
        expect(decode(singly(all))).toBe(decode([all]));
      }),
    );
  });

  test("decode UTF-8 as everybody does, a byte-order mark too", () => {
    const text = "\uFEFFa é € 😀 \u2028\0";
    expect(decode(singly(new TextEncoder().encode(text)))).toBe(text);
  });

  test("hold back no more than the beginning of a character", () => {
    const decoder = losslessDecoder();
    expect(decoder.push(Uint8Array.of(0x61, 0xf0, 0x9f, 0x98))).toBe("a");
    expect(decoder.push(Uint8Array.of(0x62))).toBe("\udcf0\udc9f\udc98b");
  });

  test("encode a surrogate that stands for no byte as the replacement character", () => {
    expect(new TextDecoder().decode(losslessEncode("a\ud800b"))).toBe("a\ufffdb");
  });
});
