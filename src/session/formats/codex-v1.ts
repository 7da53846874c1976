// Codex CLI's first generation: one object {session, items}.

import { isObject, type JsonObject, stringAt } from "../../base/json.ts";
import type { Converter, ForeignFormat } from "./format.ts";
import type { ConversionOutput } from "./output.ts";

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
  return { push: () => output.count("object", "no place"), end: () => {} };
}
