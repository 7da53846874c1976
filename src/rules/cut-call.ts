// A tool call that a rule cut while its arguments arrived. The session keeps the JSON text that had come, as the one
// argument `partialJson`; rules that look at the session later must see in it what they saw in the stream.

import { isObject, type JsonObject } from "../base/json.ts";
import type { AssistantMessage, ToolCallBlock } from "../model/messages.ts";
import { createJsonStrings, type JsonPath } from "./json-strings.ts";

/** The JSON text that had come of a call's arguments when it was cut; undefined for a call that is whole. */
export function cutJsonOf(call: ToolCallBlock, message: AssistantMessage): string | undefined {
  const { partialJson, ...others } = call.arguments;
  const isCut = message.stopReason === "aborted" && Object.keys(others).length === 0;
  return isCut && typeof partialJson === "string" ? partialJson : undefined;
}

/** The message with the strings that had come of its cut calls in the place of their JSON text. */
export function withCutCallsRead(message: AssistantMessage): AssistantMessage {
  return {
    ...message,
    content: message.content.map((block) => {
      const json = block.type === "toolCall" ? cutJsonOf(block, message) : undefined;
      return block.type !== "toolCall" || json === undefined ? block : { ...block, arguments: readCut(json) };
    }),
  };
}

/** Strings alone, the last one as far as it came: rules see nothing else. */
function readCut(json: string): JsonObject {
  const read = createJsonStrings()
    .push(json)
    .reduce<unknown>((value, { path, text }) => withText(value, path, text), {});
  return isObject(read) ? read : {};
}

function withText(value: unknown, [key, ...rest]: JsonPath, text: string): unknown {
  if (key === undefined) return text;
  if (typeof key === "number") {
    const items: unknown[] = Array.isArray(value) ? [...value] : [];
    items[key] = withText(items[key], rest, text);
    return items;
  }
  const members = isObject(value) ? value : {};
  return { ...members, [key]: withText(members[key], rest, text) };
}
