// Codex CLI's third generation: lines of {timestamp, type, payload}.

import { isObject, type JsonObject, stringAt } from "../../base/json.ts";
import type { Converter, ForeignFormat } from "./format.ts";
import type { ConversionOutput } from "./output.ts";

export const codexV3Format: ForeignFormat = {
  name: "codex-v3",
  documentMember: undefined,
  recognise,
  converter,
};

function recognise(object: JsonObject): boolean {
  const type = stringAt(object, "type");
  if (type === undefined || !isObject(object["payload"])) return false;
  return ["session_meta", "turn_context", "response_item", "event_msg", "compacted"].includes(type);
}

function converter(output: ConversionOutput): Converter {
  return { push: () => output.count("object", "no place"), end: () => {} };
}
