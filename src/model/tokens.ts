// The one estimate of tokens: `ceil(UTF-8 bytes / 4)`, corrected by what the server counted.

import { Buffer } from "node:buffer";
import type { AssistantBlock, ContentBlock, ModelMessage } from "./messages.ts";
import type { ModelRequest } from "./model.ts";

/** Roles and separators that a chat template adds to each message. */
const MESSAGE_OVERHEAD = 4;
/** An image costs a fixed number of tokens, whatever its file's size; most vision models are near this. */
const IMAGE_TOKENS = 1000;

/** Tokens of a text, estimated. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Tokens of a message with everything that is sent of it, estimated. */
export function estimateMessageTokens(message: ModelMessage): number {
  const content = message.content;
  if (typeof content === "string") return MESSAGE_OVERHEAD + estimateTokens(content);
  return content.reduce((sum, block) => sum + estimateBlockTokens(block), MESSAGE_OVERHEAD);
}

function estimateBlockTokens(block: ContentBlock | AssistantBlock): number {
  switch (block.type) {
    case "text":
      return estimateTokens(block.text);
    case "thinking":
      return estimateTokens(block.thinking);
    case "image":
      return IMAGE_TOKENS;
    case "toolCall":
      return estimateTokens(block.name) + estimateTokens(JSON.stringify(block.arguments));
  }
}

/** Tokens of a whole request, estimated: system prompt, messages, tool descriptions. */
export function estimateRequestTokens(
  request: Pick<ModelRequest, "systemPrompt" | "messages" | "tools">,
): number {
  const system = request.systemPrompt === "" ? 0 : MESSAGE_OVERHEAD + estimateTokens(request.systemPrompt);
  const tools = request.tools.length === 0 ? 0 : estimateTokens(JSON.stringify(request.tools));
  return request.messages.reduce((sum, message) => sum + estimateMessageTokens(message), system + tools);
}

/** An earlier request: what was estimated, and what the server then counted (`usage.input`). */
export interface TokenCount {
  readonly estimated: number;
  readonly counted: number;
}

/**
 * An estimate, corrected by the last count. The correction stays within a factor of three, because a server that cut
 * the prompt, or that leaves out what it had cached, counts far too little.
 */
export function correctEstimate(estimate: number, last: TokenCount | undefined): number {
  if (last === undefined || last.estimated <= 0 || last.counted <= 0) return estimate;
  const factor = Math.min(3, Math.max(1 / 3, last.counted / last.estimated));
  return Math.ceil(estimate * factor);
}
