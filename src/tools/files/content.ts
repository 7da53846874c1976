// What kind of content a file has, told by its first bytes: text, an image, or other binary data.

import { Buffer } from "node:buffer";
import * as fs from "node:fs";
import { imageType } from "../../base/image-type.ts";

type TextEncoding = "utf-8" | "utf-16le" | "utf-16be";

export type ContentKind =
  | { readonly kind: "text"; readonly encoding: TextEncoding }
  | { readonly kind: "image"; readonly mimeType: string }
  | { readonly kind: "binary" };

const SNIFF_BYTES = 8_192;
const CHUNK_BYTES = 65_536;

/** Judges an open file by its first 8 KiB. */
export function sniffFile(fd: number): ContentKind {
  const buffer = Buffer.alloc(SNIFF_BYTES);
  return sniffContent(buffer.subarray(0, fs.readSync(fd, buffer, 0, SNIFF_BYTES, 0)));
}

/** Text has no NUL and is UTF-8 (a character cut at the end is fine), or begins with a mark of UTF-16. */
function sniffContent(start: Uint8Array): ContentKind {
  const mimeType = imageType(start);
  if (mimeType !== undefined) return { kind: "image", mimeType };
  if (start[0] === 0xff && start[1] === 0xfe) return { kind: "text", encoding: "utf-16le" };
  if (start[0] === 0xfe && start[1] === 0xff) return { kind: "text", encoding: "utf-16be" };
  if (start.includes(0)) return { kind: "binary" };
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(start, { stream: true });
    return { kind: "text", encoding: "utf-8" };
  } catch {
    return { kind: "binary" };
  }
}

/**
 * Lines of an open text file without their `\n`; a `\r` stays. A final newline does not begin another line. A line of at
 * most `whole` UTF-16 units comes as it is; of a longer one as many come at least, and no more than a chunk beyond: a file
 * of gigabytes may be one line.
 */
export function* linesOf(fd: number, encoding: TextEncoding, whole: number): Generator<string, void> {
  const decoder = new TextDecoder(encoding);
  let rest = "";
  for (const chunk of chunksOf(fd)) {
    const [first = "", ...lines] = decoder.decode(chunk, { stream: true }).split("\n");
    if (rest.length <= whole) rest += first;
    for (const line of lines) {
      yield rest;
      rest = line;
    }
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}

/** The bytes of an open file from its start, in chunks; each chunk is a buffer of its own. */
function* chunksOf(fd: number): Generator<Uint8Array, void> {
  for (let position = 0; ; ) {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    const length = fs.readSync(fd, buffer, 0, CHUNK_BYTES, position);
    if (length === 0) return;
    position += length;
    yield buffer.subarray(0, length);
  }
}

/** All bytes of an open file; `undefined` if there are more than `max`. */
export function readAll(fd: number, max: number): Uint8Array | undefined {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (const chunk of chunksOf(fd)) {
    total += chunk.length;
    if (total > max) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
