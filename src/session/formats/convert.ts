// A foreign session as a stream of our entries, converted while it is read.

import { stringAt } from "../../base/json.ts";
import { type ConversionOptions, DEFAULT_CONVERSION, type ForeignFormatName } from "./format.ts";
import { createOutputQueue } from "./output-queue.ts";
import { foreignFormat } from "./registry.ts";
import type { Converted } from "./report.ts";
import { readValues, type SourceValue } from "./values.ts";

export interface ConversionRequest {
  readonly format: ForeignFormatName;
  /** The whole file, its head too. */
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly options?: ConversionOptions;
}

/**
 * Yields the header, then the entries in order, then the report. Throws for no content, only what `chunks` throws. In
 * memory: the entries that wait for the header (200 at most), the open turn, and four to forty bytes an entry for ids;
 * a source that is one document is held whole.
 */
export async function* convertSession(request: ConversionRequest): AsyncGenerator<Converted, void> {
  const format = foreignFormat(request.format);
  const options = request.options ?? DEFAULT_CONVERSION;
  const queue = createOutputQueue(format.name, options);
  const converter = format.converter(queue.output);
  let objects = 0;
  for await (const item of readValues(request.chunks, { documentMember: format.documentMember })) {
    if (item.kind === "problem") {
      queue.problem(item.problem);
      continue;
    }
    objects += 1;
    const before = queue.operations();
    converter.push(item.source);
    if (queue.operations() === before) queue.output.count(kindOf(item.source), "no place");
    yield* queue.take();
  }
  converter.end();
  for (const agentId of converter.subagents?.() ?? []) {
    const chunks = options.subagentFile?.(agentId);
    if (chunks === undefined) continue;
    for await (const item of readValues(chunks, { documentMember: undefined })) {
      if (item.kind === "value") converter.pushSubagent?.(agentId, item.source);
      else queue.output.count("line of a subagent's file", "no place");
      yield* queue.take();
    }
  }
  yield* queue.end(objects);
}

/** What an object calls itself, for the report. */
function kindOf(source: SourceValue): string {
  return stringAt(source.value, "type") ?? "object without a type";
}
