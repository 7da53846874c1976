// A tool result that went well, told by the two ends of its line. The line is not parsed: only the forms that this
// format's writers use are taken, and a quotation mark inside a string is always escaped, so text cannot pass for a key.

import { Buffer } from "node:buffer";

const HEAD_BYTES = 320;
const TAIL_BYTES = 200;
const HEAD =
  /^\{"type":"message",(?:"(?:id|parentId|timestamp)":(?:"[^"\\]*"|null),)*"message":\{"role":"toolResult","toolCallId":"([^"\\]+)"/;
const TAIL = /"isError":false,"timestamp":\d+\}(?:,"(?:id|parentId|timestamp)":(?:"[^"\\]*"|null))*\}\s*$/;

export interface QuietResult {
  readonly toolCallId: string;
  /** Its text or its details may tell an exit code after all. */
  readonly tellsCode: boolean;
}

/** What the line is the result of; undefined if it failed, or is anything else. */
export function quietResult(line: Uint8Array): QuietResult | undefined {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  const head = bytes.toString("latin1", 0, HEAD_BYTES);
  const toolCallId = HEAD.exec(head)?.[1];
  if (toolCallId === undefined) return undefined;
  const tail = bytes.toString("latin1", Math.max(0, bytes.length - TAIL_BYTES));
  if (!TAIL.test(tail)) return undefined;
  return { toolCallId, tellsCode: head.includes("xit") || tail.includes("xit") };
}
