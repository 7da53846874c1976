// Messages of a conversation, in the shape that session files of pi and oh-my-pi (version 3) use.

import type { JsonObject } from "../base/json.ts";

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

export interface ThinkingBlock {
  readonly type: "thinking";
  readonly thinking: string;
}

export interface ToolCallBlock {
  readonly type: "toolCall";
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** `data` is base64, without a `data:` prefix. */
export interface ImageBlock {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
}

export type AssistantBlock = TextBlock | ThinkingBlock | ToolCallBlock;
export type ContentBlock = TextBlock | ImageBlock;

/** Token counts of one request. `cost` is kept as it came. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly totalTokens: number;
  readonly cost?: unknown;
}

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };

export type StopReason = "stop" | "length" | "toolUse" | "error" | "aborted";

/** `timestamp`, here and below, is Unix time in milliseconds. */
export interface UserMessage {
  readonly role: "user";
  readonly content: string | readonly ContentBlock[];
  readonly timestamp: number;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly AssistantBlock[];
  readonly api: string;
  readonly provider: string;
  readonly model: string;
  readonly usage: Usage;
  readonly stopReason: StopReason;
  readonly errorMessage?: string;
  readonly timestamp: number;
}

export interface ToolResultMessage {
  readonly role: "toolResult";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
  readonly details?: unknown;
  readonly timestamp: number;
}

/** A command that the user ran beside the conversation. `exitCode` is absent when it did not end by itself. */
export interface BashExecutionMessage {
  readonly role: "bashExecution";
  readonly command: string;
  readonly output: string;
  readonly exitCode?: number;
  readonly cancelled: boolean;
  readonly truncated: boolean;
  readonly fullOutputPath?: string;
  readonly excludeFromContext?: boolean;
  readonly timestamp: number;
}

export interface CustomMessage {
  readonly role: "custom";
  readonly customType: string;
  readonly content: string | readonly ContentBlock[];
  readonly display: boolean;
  readonly details?: unknown;
  readonly timestamp: number;
}

export interface BranchSummaryMessage {
  readonly role: "branchSummary";
  readonly summary: string;
  readonly fromId: string;
  readonly timestamp: number;
}

export interface CompactionSummaryMessage {
  readonly role: "compactionSummary";
  readonly summary: string;
  readonly tokensBefore: number;
  readonly timestamp: number;
}

/** What a model server takes: every other message becomes one of these (src/model/context.ts). */
export type ModelMessage = UserMessage | AssistantMessage | ToolResultMessage;

export type Message =
  | ModelMessage
  | BashExecutionMessage
  | CustomMessage
  | BranchSummaryMessage
  | CompactionSummaryMessage;

/** The tokens of two answers together. `cost` is left out: it has no agreed shape. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    totalTokens: a.totalTokens + b.totalTokens,
  };
}

/** The text of a message's content: its text blocks joined with `\n`; images, thinking and calls are left out. */
export function textOf(content: string | readonly (ContentBlock | AssistantBlock)[]): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

/** The tool calls of an assistant message, in order. */
export function toolCallsOf(message: AssistantMessage): readonly ToolCallBlock[] {
  return message.content.filter((block) => block.type === "toolCall");
}
