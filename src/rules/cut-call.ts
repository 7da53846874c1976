// A tool call that a rule cut while its arguments arrived. The session keeps the JSON text that had come, as the one
// argument `partialJson`; rules that look at the session later must see in it what they saw in the stream.

import type { JsonObject } from "../base/json.ts";
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
  const root: JsonObject = {};
  for (const { path, text } of createJsonStrings().push(json)) put(root, path, text);
  return root;
}

/** Puts a text where it stands, below containers that are made as they are needed. */
function put(root: object, path: JsonPath, text: string): void {
  let container = root;
  for (const [index, key] of path.slice(0, -1).entries()) {
    const known: unknown = Object.hasOwn(container, key) ? Reflect.get(container, key) : undefined;
    const isKnown = typeof known === "object" && known !== null;
    const below: object = isKnown ? known : typeof path[index + 1] === "number" ? [] : {};
    if (!isKnown) define(container, key, below);
    container = below;
  }
  define(container, path.at(-1) ?? "", text);
}

/** Keys such as `__proto__` are keys like any other. */
function define(container: object, key: string | number, value: unknown): void {
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
}
