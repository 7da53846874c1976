// Copilot CLI's events.jsonl: {type, data, id, timestamp, parentId}.

import { isObject, type JsonObject, stringAt } from "../../base/json.ts";
import type { Converter, ForeignFormat } from "./format.ts";
import type { ConversionOutput } from "./output.ts";

export const copilotFormat: ForeignFormat = {
  name: "copilot",
  documentMember: undefined,
  recognise,
  converter,
};

function recognise(object: JsonObject): boolean {
  const type = stringAt(object, "type");
  return (
    type !== undefined && /^(session|user|assistant|tool|system)\./.test(type) && isObject(object["data"])
  );
}

function converter(output: ConversionOutput): Converter {
  return { push: () => output.count("object", "no place"), end: () => {} };
}
