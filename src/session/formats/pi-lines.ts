// Files of our own format as lines of version 3, with the same report that conversions of other formats give.

import { encodeHeader } from "../codec.ts";
import type { Entry } from "../entry.ts";
import { formatOfVersion } from "../open.ts";
import { streamSession } from "../stream.ts";
import { createCounts } from "./counts.ts";
import { createOpenCalls } from "./open-calls.ts";
import type { ConvertedLine } from "./report.ts";

/**
 * The header first, also where it stands later in the file: until it is known, the lines before it are held, a thousand at
 * most. Entries that are sound as they stand keep their bytes.
 */
export async function* piLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ConvertedLine, void> {
  const counts = createCounts();
  const calls = createOpenCalls();
  const held: Uint8Array[] = [];
  let version = 0;
  let leafId: string | null = null;
  let entries = 0;
  for await (const item of streamSession(chunks)) {
    if (item.kind === "problem") {
      counts.problem(item.problem);
      continue;
    }
    if (item.kind === "header") {
      version = item.version;
      yield line(new TextEncoder().encode(encodeHeader(item.header)));
      for (const bytes of held.splice(0)) yield line(bytes);
      continue;
    }
    const { entry } = item;
    counts.entry(entry, entry.parentId === leafId);
    pairCalls(entry, calls, counts.result);
    leafId = entry.id;
    entries += 1;
    if (version > 0) yield line(item.lineBytes());
    else held.push(item.lineBytes());
  }
  const callsWithoutResult = calls.count();
  const format = formatOfVersion(version);
  yield {
    kind: "report",
    report: counts.report({ format, writtenBy: undefined, objects: entries, callsWithoutResult }),
  };
}

function line(bytes: Uint8Array): ConvertedLine {
  return { kind: "line", bytes };
}

function pairCalls(
  entry: Entry,
  calls: ReturnType<typeof createOpenCalls>,
  result: (hasCall: boolean) => void,
): void {
  if (entry.type !== "message") return;
  if (entry.message.role === "toolResult") result(calls.close(entry.message.toolCallId) !== undefined);
  if (entry.message.role !== "assistant") return;
  for (const block of entry.message.content) if (block.type === "toolCall") calls.open(block.id, block.name);
}
