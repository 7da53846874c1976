// Content of Claude Code's messages: blocks as the Messages API writes them.

import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from "../../base/json.ts";
import type { AssistantBlock, ContentBlock, StopReason, Usage } from "../../model/messages.ts";
import { argumentsOf, countAt, imageOfUrl, leftOut, textBlock, usageOf } from "./blocks.ts";
import type { ConversionOutput } from "./output.ts";

/** The blocks of a `content` that may be a plain text. */
export function contentBlocks(content: unknown): readonly JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) =>
    isObject(block) ? [block] : leftOut(block).map((text) => ({ ...text })),
  );
}

/** What a user's or a tool's block holds; counted where it has no place. */
export function userBlock(block: JsonObject, output: ConversionOutput): readonly ContentBlock[] {
  const type = stringAt(block, "type") ?? "";
  const text = stringAt(block, "text");
  if (type === "text" && text !== undefined) return text === "" ? [] : [textBlock(text)];
  if (type === "image") return imageBlock(objectAt(block, "source") ?? {});
  if (type === "document") return documentBlock(objectAt(block, "source") ?? {}, output);
  if (type === "tool_reference") return [textBlock(`[tool ${stringAt(block, "tool_name") ?? ""}]`)];
  output.count(`block:${type}`, "no place");
  return [];
}

function imageBlock(source: JsonObject): readonly ContentBlock[] {
  const data = stringAt(source, "data");
  const mimeType = stringAt(source, "media_type") ?? "image/png";
  if (data !== undefined) return [{ type: "image", data, mimeType }];
  return [imageOfUrl(stringAt(source, "url") ?? "")];
}

/** A text document is text; a PDF is not kept, and the text says so. */
function documentBlock(source: JsonObject, output: ConversionOutput): readonly ContentBlock[] {
  const data = stringAt(source, "data") ?? "";
  if (source["type"] === "text") return [textBlock(data)];
  output.count("block:document", "no place");
  const mimeType = stringAt(source, "media_type") ?? "unknown type";
  return [textBlock(`[document, ${mimeType}, about ${Math.floor(data.length * 0.75)} bytes, left out]`)];
}

/** What an assistant's block holds. Results of tools that ran on the server are not in here. */
export function assistantBlock(block: JsonObject, output: ConversionOutput): readonly AssistantBlock[] {
  const type = stringAt(block, "type") ?? "";
  switch (type) {
    case "text": {
      const text = stringAt(block, "text") ?? "";
      if (text !== "") return [textBlock(text)];
      output.count("block:text", "empty");
      return [];
    }
    case "thinking": {
      const thinking = stringAt(block, "thinking") ?? "";
      if (thinking !== "") return [{ type: "thinking", thinking }];
      output.count("block:thinking", "empty");
      return [];
    }
    case "tool_use":
    case "server_tool_use": {
      const id = stringAt(block, "id");
      const name = stringAt(block, "name");
      if (id === undefined || name === undefined) break;
      return [{ type: "toolCall", id, name, arguments: argumentsOf(block["input"]) }];
    }
    case "redacted_thinking":
      output.count("block:redacted_thinking", "no place");
      return [];
  }
  output.count(`block:${type}`, "no place");
  return [];
}

/** The content of a `tool_result`: a text, or blocks. */
export function resultContent(block: JsonObject, output: ConversionOutput): readonly ContentBlock[] {
  return contentBlocks(block["content"]).flatMap((inner) => userBlock(inner, output));
}

/** The usage of a message; it comes again on each of the message's lines. */
export function claudeUsage(message: JsonObject): Usage | undefined {
  const usage = objectAt(message, "usage");
  if (usage === undefined) return undefined;
  return usageOf({
    input: countAt(usage, "input_tokens"),
    output: countAt(usage, "output_tokens"),
    cacheRead: countAt(usage, "cache_read_input_tokens"),
    cacheWrite: countAt(usage, "cache_creation_input_tokens"),
  });
}

/** Why the message ended, in our words; undefined while it is still being written, or for a word that is not known. */
export function claudeStopReason(message: JsonObject): StopReason | undefined {
  switch (stringAt(message, "stop_reason")) {
    case "end_turn":
    case "stop_sequence":
    case "pause_turn":
    case "refusal":
      return "stop";
    case "max_tokens":
      return "length";
    case "tool_use":
      return "toolUse";
    default:
      return undefined;
  }
}

/** Blocks that hold the result of a tool which ran on the server: `web_search_tool_result` and its kin. */
export function serverResults(message: JsonObject): readonly JsonObject[] {
  return (arrayAt(message, "content") ?? []).filter(
    (block): block is JsonObject =>
      isObject(block) && /_tool_result$/.test(stringAt(block, "type") ?? "") && "tool_use_id" in block,
  );
}
