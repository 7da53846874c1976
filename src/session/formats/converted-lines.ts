// Any known session as lines of our format: a header, entries, and at the end a report of what was done with the source.

import { encodeEntry, encodeHeader } from "../codec.ts";
import { recogniseSource } from "../source.ts";
import { convertSession } from "./convert.ts";
import type { ConversionOptions } from "./format.ts";
import { FOREIGN_FORMATS } from "./registry.ts";
import type { ConvertedLine } from "./report.ts";

export interface LinesRequest {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** What messages call the source. */
  readonly name: string;
  readonly options: ConversionOptions;
}

/** Throws `AppError` (`input`) for a source that is no session; what `chunks` throws; nothing else. */
export async function* convertedLines(request: LinesRequest): AsyncGenerator<ConvertedLine, void> {
  const { format, chunks } = await recogniseSource(request.chunks, request.name);
  const foreign = FOREIGN_FORMATS.find((candidate) => candidate.name === format);
  if (foreign === undefined) {
    const { piLines } = await import("./pi-lines.ts");
    yield* piLines(chunks);
    return;
  }
  const encoder = new TextEncoder();
  for await (const item of convertSession({ format: foreign.name, chunks, options: request.options })) {
    if (item.kind === "report") yield item;
    else {
      const text = item.kind === "header" ? encodeHeader(item.header) : encodeEntry(item.entry);
      yield { kind: "line", bytes: encoder.encode(text) };
    }
  }
}
