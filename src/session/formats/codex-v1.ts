// Codex CLI's first generation: one object {session, items}, its items response items or chat messages with `tool_calls`.

import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from "../../base/json.ts";
import { type CodexItems, createCodexItems } from "./codex-items.ts";
import { pushHeader } from "./codex-v2.ts";
import type { Converter, ForeignFormat } from "./format.ts";
import type { ConversionOutput, Place } from "./output.ts";

export const codexV1Format: ForeignFormat = {
  name: "codex-v1",
  documentMember: "items",
  recognise,
  converter,
};

function recognise(object: JsonObject): boolean {
  const session = object["session"];
  return isObject(session) && (Array.isArray(object["items"]) || stringAt(session, "id") !== undefined);
}

function converter(output: ConversionOutput): Converter {
  const items = createCodexItems(output);
  return {
    push(source) {
      const { value } = source;
      const session = objectAt(value, "session");
      const place: Place = { source, timestamp: stringAt(session ?? value, "timestamp") };
      if (session !== undefined) pushHeader(output, session, place);
      const list = arrayAt(value, "items") ?? (session === undefined ? [value] : []);
      for (const item of list) {
        if (isObject(item)) pushItem(output, items, { item, place });
        else output.count("item that is no object", "no place");
      }
    },
    end: () => items.turn.end(),
  };
}

interface ItemAt {
  readonly item: JsonObject;
  readonly place: Place;
}

/** Chat messages are turned into the items that the later generations write. */
function pushItem(output: ConversionOutput, items: CodexItems, { item, place }: ItemAt): void {
  const at: Place = { ...place, timestamp: stringAt(item, "timestamp") ?? place.timestamp };
  const type = stringAt(item, "type");
  const role = stringAt(item, "role");
  if (type === undefined && role === undefined) {
    output.count("item without a role", "no place");
    return;
  }
  if (role === "tool") {
    items.push({ type: "function_call_output", call_id: item["tool_call_id"], output: item["content"] }, at);
    return;
  }
  const calls = (arrayAt(item, "tool_calls") ?? []).filter(isObject);
  if (calls.length === 0 || !isEmpty(item["content"])) items.push(item, at);
  for (const call of calls) {
    const called = objectAt(call, "function") ?? call;
    items.push(
      { type: "function_call", call_id: call["id"], name: called["name"], arguments: called["arguments"] },
      at,
    );
  }
}

function isEmpty(content: unknown): boolean {
  return (
    content === undefined ||
    content === null ||
    content === "" ||
    (Array.isArray(content) && content.length === 0)
  );
}
