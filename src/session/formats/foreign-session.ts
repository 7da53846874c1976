// A foreign session as a `Session`: its converted entries are read as if they stood in a file of ours. The file itself is
// never written to.

import { encodeEntry, encodeHeader } from "../codec.ts";
import type { Session } from "../session.ts";
import { convertSession } from "./convert.ts";
import type { ConversionReport, ForeignFormatName } from "./format.ts";

export interface ForeignSource {
  readonly format: ForeignFormatName;
  /** The whole file, its head too. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Reads lines of our own format, as `readSession` does. */
export type ReadLines = (chunks: AsyncIterable<Uint8Array>) => Promise<Session>;

/** Converts while reading; `row().line` and the problems' lines are the source's. */
export async function readForeignSession(source: ForeignSource, read: ReadLines): Promise<Session> {
  const lines: number[] = [];
  let report: ConversionReport | undefined;
  async function* converted(): AsyncGenerator<Uint8Array, void> {
    const encoder = new TextEncoder();
    for await (const item of convertSession(source)) {
      if (item.kind === "report") {
        report = item.report;
        continue;
      }
      if (item.kind === "entry") lines.push(item.line);
      yield encoder.encode(
        `${item.kind === "entry" ? encodeEntry(item.entry) : encodeHeader(item.header)}\n`,
      );
    }
  }
  const session = await read(converted());
  const { header, path, size, leafId } = session;
  return {
    header,
    path,
    size,
    leafId,
    format: source.format,
    problems: report?.problems ?? [],
    row: (index) => ({ ...session.row(index), line: lines[index] ?? 0 }),
    entry: (id) => session.entry(id),
    entries: () => session.entries(),
  };
}
