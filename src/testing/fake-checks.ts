// What a real server refuses in a chat request, so that no test passes with a request that would fail in earnest. Where
// servers differ, the strictest is taken: every call has its results at once, and no result stands alone.

import { isObject, type JsonObject } from "../base/json.ts";

/** The text of the refusal, or `undefined` for a request that any server takes. */
export function faultOf(body: JsonObject, capabilities: readonly string[]): string | undefined {
  return abilityFault(body, capabilities) ?? toolsFault(body["tools"]) ?? messagesFault(body["messages"]);
}

function abilityFault(body: JsonObject, capabilities: readonly string[]): string | undefined {
  const name = JSON.stringify(body["model"]);
  const { think, tools } = { think: body["think"], tools: body["tools"] };
  if (Array.isArray(tools) && tools.length > 0 && !capabilities.includes("tools")) {
    return `${name} does not support tools`;
  }
  if (think === undefined) return undefined;
  if (![true, false, "low", "medium", "high", "max"].some((value) => value === think)) {
    return `invalid think value: ${JSON.stringify(think)}`;
  }
  return think !== false && !capabilities.includes("thinking")
    ? `${name} does not support thinking`
    : undefined;
}

function toolsFault(tools: unknown): string | undefined {
  for (const tool of Array.isArray(tools) ? tools : []) {
    const spec = isObject(tool) ? tool["function"] : undefined;
    const parameters = isObject(spec) ? spec["parameters"] : undefined;
    if (!isObject(parameters)) return "json: tools: parameters is not an object";
    const fault = schemaFault(parameters);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function schemaFault(schema: JsonObject): string | undefined {
  if (Array.isArray(schema["type"]))
    return "json: cannot unmarshal array into Go struct field .type of type string";
  const properties = schema["properties"];
  if (properties === undefined) return undefined;
  if (!isObject(properties))
    return "json: cannot unmarshal array into Go struct field .properties of type map";
  for (const property of Object.values(properties)) {
    const fault = isObject(property) ? schemaFault(property) : "json: a property is not an object";
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function messagesFault(messages: unknown): string | undefined {
  if (messages === undefined || (Array.isArray(messages) && messages.length === 0)) return undefined;
  if (!Array.isArray(messages)) return "json: messages is not a list";
  let open: readonly unknown[] = [];
  for (const message of messages) {
    if (!isObject(message) || typeof message["content"] !== "string") return "json: a message has no content";
    if (message["role"] === "tool") {
      const id = message["tool_call_id"];
      if (!open.includes(id)) return `a result without its call: ${JSON.stringify(id)}`;
      open = open.filter((each) => each !== id);
      continue;
    }
    if (open.length > 0) return `a call without its result: ${JSON.stringify(open[0])}`;
    const fault = roleFault(message);
    if (fault !== undefined) return fault;
    open = callsOf(message).map((call) => call["id"]);
  }
  if (open.length > 0) return `a call without its result: ${JSON.stringify(open[0])}`;
  const asks = messages.some((message) => isObject(message) && message["role"] === "user");
  return asks ? undefined : "no user message is left";
}

function roleFault(message: JsonObject): string | undefined {
  if (!["system", "user", "assistant"].some((role) => role === message["role"])) {
    return `invalid role: ${JSON.stringify(message["role"])}`;
  }
  for (const call of callsOf(message)) {
    const spec = call["function"];
    if (!isObject(spec) || !isObject(spec["arguments"])) {
      return "json: cannot unmarshal string into Go struct field .arguments of type map";
    }
  }
  return undefined;
}

function callsOf(message: JsonObject): readonly JsonObject[] {
  const calls = message["tool_calls"];
  return Array.isArray(calls) ? calls.filter(isObject) : [];
}
