// Opening a session: bytes → blocks of lines → index → Session. Reading is lenient and never silent: what cannot be read
// is a problem with its line, and the rest is read. Other agents' files are converted while they are read.

import { lineBlocks } from "../base/lines.ts";
import type { ForeignFormatName } from "./formats/format.ts";
import { indexedSession } from "./indexed.ts";
import { createLineIndex } from "./line-index.ts";
import type { Session, SessionFormat } from "./session.ts";
import { recogniseSource, sessionFileChunks, unreadable } from "./source.ts";

/**
 * Opens a session file of any known format. Throws `AppError`: `notFound` if there is no such file, `input` if nothing
 * in it can be used, `failed` if it cannot be read.
 */
export async function openSession(path: string): Promise<Session> {
  return await readSession(sessionFileChunks(path), { path });
}

export interface ReadOptions {
  /** Absolute path that the bytes come from; left out for a pipe. */
  readonly path?: string;
}

/**
 * Reads a session of any known format from a stream of bytes; the chunks' memory is kept. Throws `AppError` (`input`)
 * if nothing in it can be used, and what `chunks` throws.
 */
export async function readSession(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): Promise<Session> {
  const name = options.path ?? "-";
  const count = { bytes: 0 };
  const source = await recogniseSource(counted(chunks, count), name);
  if (isForeign(source.format))
    return await readForeign(source.chunks, { format: source.format, path: options.path, count });
  const builder = createLineIndex();
  for await (const block of lineBlocks(source.chunks)) builder.addBlock(block);
  const index = builder.finish();
  if (index === undefined) throw unreadable(name, "no line of it can be used");
  const format = formatOfVersion(index.version);
  return indexedSession({ index, format, path: options.path, sourceBytes: count.bytes });
}

interface Count {
  bytes: number;
}

async function* counted(chunks: AsyncIterable<Uint8Array>, count: Count): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    count.bytes += chunk.length;
    yield chunk;
  }
}

/** Whether a format is converted while it is read. */
export function isForeign(format: SessionFormat): format is ForeignFormatName {
  return !format.startsWith("pi-");
}

/** The name of our own format's version. */
export function formatOfVersion(version: number): SessionFormat {
  return version <= 1 ? "pi-v1" : version === 2 ? "pi-v2" : "pi-v3";
}

async function readForeign(
  chunks: AsyncIterable<Uint8Array>,
  source: { readonly format: ForeignFormatName; readonly path: string | undefined; readonly count: Count },
): Promise<Session> {
  const { convertSession } = await import("./formats/convert.ts");
  const builder = createLineIndex();
  for await (const item of convertSession({ format: source.format, chunks })) {
    if (item.kind === "header") builder.setHeader(item.header);
    else if (item.kind === "entry") builder.addEntry(item.entry, item.line);
    else for (const problem of item.report.problems) builder.addProblem(problem);
  }
  const index = builder.finish();
  if (index === undefined) throw unreadable(source.path ?? "-", "nothing in it can be used");
  const { format, path, count } = source;
  return indexedSession({ index, format, path, sourceBytes: count.bytes });
}
