// Codex CLI's second generation: a line {id, timestamp, instructions}, then bare response items.

import { type JsonObject, stringAt } from "../../base/json.ts";
import type { Converter, ForeignFormat } from "./format.ts";
import type { ConversionOutput } from "./output.ts";

export const codexV2Format: ForeignFormat = {
  name: "codex-v2",
  documentMember: undefined,
  recognise,
  converter,
};

function recognise(object: JsonObject): boolean {
  if ("record_type" in object) return true;
  const type = stringAt(object, "type");
  if (type === undefined) return "id" in object && "timestamp" in object && "instructions" in object;
  if (type === "message") return "role" in object && "content" in object;
  return ["function_call", "function_call_output"].includes(type) && "call_id" in object;
}

function converter(output: ConversionOutput): Converter {
  return { push: () => output.count("object", "no place"), end: () => {} };
}
