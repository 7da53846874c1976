// A session's bytes before it is known what they are: enough of them to recognise the format, then all of them again.

import { AppError, codeOf } from "../base/errors.ts";
import { fileChunks } from "../base/lines.ts";
import { reasonOf } from "../base/system-error.ts";
import type { SessionFormat } from "./session.ts";

/** A stream whose format is known. `chunks` gives all of it, from its first byte. */
export interface RecognisedSource {
  readonly format: SessionFormat;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Recognises a session by its first bytes. `name` is for messages. Throws `AppError` (`input`) if it is none that is
 * known, saying what it is instead.
 */
export async function recogniseSource(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): Promise<RecognisedSource> {
  const first = await readAtLeast(chunks, 1);
  if (beginsLikeOurs(first.head)) {
    // The header tells the version; what has no header, or none in its first line, is looked at closely below.
    return { format: "pi-v3", chunks: first.chunks };
  }
  const { HEAD_BYTES } = await import("./formats/head.ts");
  const { recogniseFormat, KNOWN_FORMATS } = await import("./formats/recognise.ts");
  const { head, chunks: all } = await readAtLeast(first.chunks, HEAD_BYTES);
  const recognised = recogniseFormat(head);
  if (recognised.kind === "session") return { format: recognised.format, chunks: all };
  throw unreadable(
    name,
    `it is ${recognised.seen}`,
    `A session is a file of one of these: ${KNOWN_FORMATS}.`,
  );
}

/** Nothing in a session can be used; `name` is its path, or `-` for stdin. */
export function unreadable(name: string, why: string, hint?: string): AppError {
  const what = name === "-" ? "the session from stdin" : `session "${name}"`;
  return new AppError("input", `Cannot read ${what}: ${why}`, hint === undefined ? {} : { hint });
}

const OUR_BEGINNINGS = ['{"type":"session"', '{"type":"title"'];

function beginsLikeOurs(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head.subarray(0, 64));
  return OUR_BEGINNINGS.some((begin) => text.startsWith(begin));
}

interface Peeked {
  readonly head: Uint8Array;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The first `count` bytes or more (fewer if there are no more), and the whole stream again. */
async function readAtLeast(chunks: AsyncIterable<Uint8Array>, count: number): Promise<Peeked> {
  const iterator = chunks[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  let size = 0;
  while (size < count) {
    const next = await iterator.next();
    if (next.done === true) break;
    taken.push(next.value);
    size += next.value.length;
  }
  return { head: joined(taken, size), chunks: resumed(taken, iterator) };
}

async function* resumed(
  taken: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* taken;
    for (;;) {
      const next = await iterator.next();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

/**
 * A session file's bytes. Throws `AppError`: `notFound` if there is no such file, `input` for a directory, `failed` for a
 * file that cannot be read.
 */
export async function* sessionFileChunks(path: string): AsyncGenerator<Uint8Array, void> {
  try {
    yield* fileChunks(path);
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (codeOf(error) === "ENOENT")
      throw new AppError("notFound", `Cannot open session "${path}": there is no such file`, {
        cause: error,
      });
    if (codeOf(error) === "EISDIR")
      throw new AppError("input", `Cannot read session "${path}": it is a directory`, { cause: error });
    throw new AppError("failed", `Cannot read session "${path}": ${reasonOf(error)}`, { cause: error });
  }
}
