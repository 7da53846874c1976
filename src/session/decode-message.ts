// The decoder of messages: what a session file says, checked member by member. Members that we do not know stay on the
// objects, so that what is written again is what was read.

import { booleanAt, isObject, type JsonObject, numberAt, objectAt, stringAt } from "../base/json.ts";
import type { AssistantBlock, ContentBlock, Message, StopReason, Usage } from "../model/messages.ts";

/** A decoded value, or the name of the member that it lacks or that is not what it must be. */
export type Decoded<T> = { readonly value: T } | { readonly missing: string };

const STOP_REASONS: readonly StopReason[] = ["stop", "length", "toolUse", "error", "aborted"];

/**
 * Decodes a message of any role. `entryTime` (ISO 8601) stands in for a missing `timestamp`. `hookMessage`, the name
 * that versions 1 and 2 used, becomes `custom`.
 */
export function decodeMessage(value: unknown, entryTime: string): Decoded<Message> {
  if (!isObject(value)) return { missing: "message" };
  const timestamp = numberAt(value, "timestamp") ?? Date.parse(entryTime);
  const role = stringAt(value, "role");
  switch (role) {
    case "user":
      return withContent(value, (content) => ({ ...value, role, content, timestamp }));
    case "assistant":
      return decodeAssistant(value, timestamp);
    case "toolResult":
      return decodeToolResult(value, timestamp);
    case "bashExecution":
      return decodeBash(value, timestamp);
    case "custom":
    case "hookMessage":
      return decodeCustom(value, timestamp);
    case "branchSummary":
    case "compactionSummary":
      return decodeSummary(role, value, timestamp);
    case undefined:
      return { missing: "message.role" };
    default:
      return { missing: `message.role (it is "${role}")` };
  }
}

/** Content of a user, custom or tool message: a string, or blocks of text and images. */
export function decodeContent(value: unknown): string | readonly ContentBlock[] | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((block) => {
    const decoded = decodeContentBlock(block);
    return decoded === undefined ? [] : [decoded];
  });
}

/** A block of a type that we do not know becomes a text that names it: the model sees that something was there. */
function decodeContentBlock(value: unknown): ContentBlock | undefined {
  if (typeof value === "string") return { type: "text", text: value };
  if (!isObject(value)) return undefined;
  const type = stringAt(value, "type");
  if (type === "text") return { ...value, type, text: stringAt(value, "text") ?? "" };
  if (type === "image") {
    const data = stringAt(value, "data");
    const mimeType = stringAt(value, "mimeType") ?? "image/png";
    if (data !== undefined && !data.startsWith("blob:")) return { ...value, type, data, mimeType };
    return { type: "text", text: "[image: its data is not in the session file]" };
  }
  return { type: "text", text: `[${type ?? "block"}: not text]` };
}

function withContent<T extends Message>(
  value: JsonObject,
  make: (content: string | readonly ContentBlock[]) => T,
): Decoded<T> {
  const content = decodeContent(value["content"]);
  return content === undefined ? { missing: "message.content" } : { value: make(content) };
}

function decodeAssistant(value: JsonObject, timestamp: number): Decoded<Message> {
  const raw = value["content"];
  const blocks = typeof raw === "string" ? [{ type: "text", text: raw }] : raw;
  if (!Array.isArray(blocks)) return { missing: "message.content" };
  const content = blocks.flatMap(decodeAssistantBlock);
  const stop = stringAt(value, "stopReason");
  const { errorMessage, ...rest } = value;
  return {
    value: {
      ...rest,
      role: "assistant",
      content,
      api: stringAt(value, "api") ?? "",
      provider: stringAt(value, "provider") ?? "",
      model: stringAt(value, "model") ?? "",
      usage: decodeUsage(objectAt(value, "usage")),
      stopReason: STOP_REASONS.find((known) => known === stop) ?? "stop",
      ...(typeof errorMessage === "string" ? { errorMessage } : {}),
      timestamp,
    },
  };
}

function decodeAssistantBlock(value: unknown): AssistantBlock[] {
  if (!isObject(value)) return [];
  switch (stringAt(value, "type")) {
    case "text":
      return [{ ...value, type: "text", text: stringAt(value, "text") ?? "" }];
    case "thinking":
      return [{ ...value, type: "thinking", thinking: stringAt(value, "thinking") ?? "" }];
    case "toolCall": {
      const args = value["arguments"];
      return [
        {
          ...value,
          type: "toolCall",
          id: stringAt(value, "id") ?? "",
          name: stringAt(value, "name") ?? "",
          arguments: isObject(args) ? args : {},
        },
      ];
    }
    default:
      return [];
  }
}

function decodeUsage(value: JsonObject | undefined): Usage {
  const read = (key: string) => (value === undefined ? undefined : numberAt(value, key)) ?? 0;
  const [input, output, cacheRead, cacheWrite] = [
    read("input"),
    read("output"),
    read("cacheRead"),
    read("cacheWrite"),
  ];
  const total = read("totalTokens");
  return {
    ...value,
    input,
    output,
    cacheRead,
    cacheWrite,
    totalTokens: total === 0 ? input + output + cacheRead + cacheWrite : total,
  };
}

function decodeToolResult(value: JsonObject, timestamp: number): Decoded<Message> {
  const toolCallId = stringAt(value, "toolCallId");
  if (toolCallId === undefined) return { missing: "message.toolCallId" };
  const content = decodeContent(value["content"]);
  if (content === undefined) return { missing: "message.content" };
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return {
    value: {
      ...value,
      role: "toolResult",
      toolCallId,
      toolName: stringAt(value, "toolName") ?? "",
      content: [...blocks, ...evictedNotice(value)],
      isError: booleanAt(value, "isError") ?? false,
      timestamp,
    },
  };
}

/** oh-my-pi moves large results to files elsewhere: the model and the reader see that something is missing. */
function evictedNotice(value: JsonObject): readonly ContentBlock[] {
  const payloads = objectAt(objectAt(value, "evictedContent") ?? {}, "payloads");
  if (payloads === undefined) return [];
  const sizes = Object.values(payloads).map((payload) =>
    isObject(payload) ? (numberAt(payload, "originalChars") ?? 0) : 0,
  );
  const chars = sizes.reduce((sum, size) => sum + size, 0);
  return [{ type: "text", text: `[content of ${chars} characters: not in the session file]` }];
}

function decodeBash(value: JsonObject, timestamp: number): Decoded<Message> {
  const command = stringAt(value, "command");
  if (command === undefined) return { missing: "message.command" };
  const { exitCode, fullOutputPath, excludeFromContext, ...rest } = value;
  return {
    value: {
      ...rest,
      role: "bashExecution",
      command,
      output: stringAt(value, "output") ?? "",
      ...(typeof exitCode === "number" ? { exitCode } : {}),
      cancelled: booleanAt(value, "cancelled") ?? false,
      truncated: booleanAt(value, "truncated") ?? false,
      ...(typeof fullOutputPath === "string" ? { fullOutputPath } : {}),
      ...(typeof excludeFromContext === "boolean" ? { excludeFromContext } : {}),
      timestamp,
    },
  };
}

function decodeCustom(value: JsonObject, timestamp: number): Decoded<Message> {
  const customType = stringAt(value, "customType") ?? "";
  const display = booleanAt(value, "display") ?? true;
  return withContent(value, (content) => ({
    ...value,
    role: "custom" as const,
    customType,
    content,
    display,
    timestamp,
  }));
}

function decodeSummary(
  role: "branchSummary" | "compactionSummary",
  value: JsonObject,
  timestamp: number,
): Decoded<Message> {
  const summary = stringAt(value, "summary");
  if (summary === undefined) return { missing: "message.summary" };
  if (role === "branchSummary")
    return { value: { ...value, role, summary, fromId: stringAt(value, "fromId") ?? "", timestamp } };
  return {
    value: { ...value, role, summary, tokensBefore: numberAt(value, "tokensBefore") ?? 0, timestamp },
  };
}
