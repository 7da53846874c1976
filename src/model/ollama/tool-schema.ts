// JSON Schemas of tools as the server takes them: it refuses a list as `type`, and `properties` that are no object.

import { isObject, type JsonObject } from "../../base/json.ts";

/** The parameters of a tool: an object schema whose every part has at most one `type`. */
export function toServerSchema(parameters: JsonObject): JsonObject {
  const schema = simplify(parameters);
  const base = isObject(schema) ? schema : {};
  return { ...base, type: "object", properties: isObject(base["properties"]) ? base["properties"] : {} };
}

function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, simplifyMember(key, member)]));
}

function simplifyMember(key: string, member: unknown): unknown {
  if (key === "type" && Array.isArray(member)) return member.find((type) => type !== "null") ?? "null";
  if (key === "properties") return isObject(member) ? simplifyProperties(member) : {};
  // Values, not schemas.
  if (key === "enum" || key === "const" || key === "default" || key === "examples") return member;
  return simplify(member);
}

/** Here the keys are names of parameters: one may be called `type`. */
function simplifyProperties(properties: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, simplify(schema)]));
}
