// The first step of compaction: tool results that are no longer new lose their middle.

import type { ContentBlock, Message, ToolResultMessage } from "../model/messages.ts";

/** UTF-16 units that a shortened result keeps, of its head and of its tail. */
const KEEP_UNITS = 400;

/** The messages with every tool result before index `until` shortened; the same array if nothing was long. */
export function shortenResults(messages: readonly Message[], until: number): readonly Message[] {
  let changed = false;
  const shortened = messages.map((message, index) => {
    if (index >= until || message.role !== "toolResult") return message;
    const short = shortenResult(message);
    changed ||= short !== message;
    return short;
  });
  return changed ? shortened : messages;
}

function shortenResult(message: ToolResultMessage): ToolResultMessage {
  if (!message.content.some(isLong)) return message;
  return { ...message, content: message.content.map(shortenBlock) };
}

function isLong(block: ContentBlock): boolean {
  return block.type === "image" || block.text.length > 3 * KEEP_UNITS;
}

function shortenBlock(block: ContentBlock): ContentBlock {
  if (!isLong(block)) return block;
  if (block.type === "image") return { type: "text", text: "[an image was here]" };
  return { type: "text", text: shortenText(block.text) };
}

/** Head and tail of a text, what lies between counted. */
export function shortenText(text: string): string {
  if (text.length <= 3 * KEEP_UNITS) return text;
  const head = text.slice(0, KEEP_UNITS).toWellFormed();
  const tail = text.slice(-KEEP_UNITS).toWellFormed();
  return `${head}\n[… ${text.length - 2 * KEEP_UNITS} characters left out …]\n${tail}`;
}
