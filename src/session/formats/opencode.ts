// OpenCode's exports: one object {info, messages[{info, parts}]}.

import { isObject, type JsonObject, stringAt } from "../../base/json.ts";
import type { Converter, ForeignFormat } from "./format.ts";
import type { ConversionOutput } from "./output.ts";

export const opencodeFormat: ForeignFormat = {
  name: "opencode",
  documentMember: "messages",
  recognise,
  converter,
};

function recognise(object: JsonObject): boolean {
  const info = object["info"];
  return isObject(info) && stringAt(info, "id") !== undefined && !("parts" in object);
}

function converter(output: ConversionOutput): Converter {
  return { push: () => output.count("object", "no place"), end: () => {} };
}
