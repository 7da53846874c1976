import { expect, test } from "bun:test";
import fc from "fast-check";
import { tempDir } from "../testing/temp.ts";
import { byteLines, fileChunks } from "./lines.ts";

async function linesOf(bytes: Uint8Array, cuts: readonly number[]): Promise<readonly string[]> {
  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
    let start = 0;
    for (const end of [...places, bytes.length]) {
      yield bytes.slice(start, end);
      start = end;
    }
  }
  const lines: string[] = [];
  for await (const line of byteLines(chunks()))
    lines.push(
      `${line.number}${line.ended ? ":" : "~"}${new TextDecoder("utf-8", { ignoreBOM: true }).decode(line.bytes)}`,
    );
  return lines;
}

test("byteLines() gives the same lines however the stream was cut", async () => {
  const piece = fc.constantFrom("a", "é", "😀", "\n", "\r\n", "\r", "\u2028", "\ufeff", "");
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(60)), async (pieces, cuts) => {
      const bytes = new TextEncoder().encode(pieces.join(""));
      expect(await linesOf(bytes, cuts)).toEqual(await linesOf(bytes, []));
    }),
  );
});

test("byteLines() ends lines at newlines only, drops a return before one, and a byte-order mark at the start", async () => {
  const bytes = new TextEncoder().encode("\ufeffone\r\ntwo\u2028two\n\n\ufefffour\rfour\nfive");
  expect(await linesOf(bytes, [1])).toEqual([
    "1:one",
    "2:two\u2028two",
    "3:",
    "4:\ufefffour\rfour",
    "5~five",
  ]);
});

test("byteLines() gives nothing for nothing", async () => {
  expect(await linesOf(new Uint8Array(0), [])).toEqual([]);
});

test("fileChunks() gives a file's bytes", async () => {
  using dir = tempDir();
  const content = new Uint8Array(9_000_000).map((_, index) => index % 251);
  const path = dir.write("a", content);
  const chunks = await Array.fromAsync(fileChunks(path));
  expect(chunks.length).toBeGreaterThan(1);
  expect(Buffer.concat(chunks).equals(content)).toBe(true);
});
