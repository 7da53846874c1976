// A session of any known format as a stream of our entries, nothing kept but the ids.

import { encodeEntry } from "./codec.ts";
import type { ForeignFormatName } from "./formats/format.ts";
import type { ConversionReport } from "./formats/report.ts";
import { isForeign } from "./open.ts";
import type { SessionFormat } from "./session.ts";
import { recogniseSource } from "./source.ts";
import { type StreamedItem, streamBatches } from "./stream.ts";

/** `format` comes first; `report` last, for a converted session. */
export type AnyItem =
  | StreamedItem
  | { readonly kind: "format"; readonly format: SessionFormat }
  | { readonly kind: "report"; readonly report: ConversionReport };

/**
 * Reads a stream of any known format, as many items at a time as came together (`streamBatches`); `name` is for
 * messages. Throws `AppError` (`input`) if it is none, and what `chunks` throws. The version of our own format is told by
 * the `header` item.
 */
export async function* streamAnySession(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Iterable<AnyItem>, void> {
  const source = await recogniseSource(chunks, name);
  yield [{ kind: "format", format: source.format }];
  if (isForeign(source.format)) yield* streamForeign(source.chunks, source.format);
  else yield* streamBatches(source.chunks);
}

async function* streamForeign(
  chunks: AsyncIterable<Uint8Array>,
  format: ForeignFormatName,
): AsyncGenerator<readonly AnyItem[], void> {
  const { convertSession } = await import("./formats/convert.ts");
  for await (const item of convertSession({ format, chunks })) {
    if (item.kind === "header") {
      yield [{ kind: "header", header: item.header, version: 3 }];
    } else if (item.kind === "entry") {
      const { entry, line } = item;
      const lineBytes = () => new TextEncoder().encode(encodeEntry(entry));
      yield [{ kind: "entry", entry, line, lineBytes }];
    } else {
      yield item.report.problems.map((problem) => ({ kind: "problem" as const, problem }));
      yield [item];
    }
  }
}
