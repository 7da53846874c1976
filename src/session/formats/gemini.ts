// Gemini CLI: one JSON document, or lines where `$set` patches and a message that comes again wins.

import { isObject, type JsonObject, stringAt } from "../../base/json.ts";
import type { Converter, ForeignFormat } from "./format.ts";
import type { ConversionOutput } from "./output.ts";

export const geminiFormat: ForeignFormat = {
  name: "gemini",
  documentMember: "messages",
  recognise,
  converter,
};

function recognise(object: JsonObject): boolean {
  if (isObject(object["$set"])) return true;
  if ("sessionId" in object && !("type" in object)) {
    return "projectHash" in object || "startTime" in object || Array.isArray(object["messages"]);
  }
  return stringAt(object, "type") === "gemini" && "id" in object;
}

function converter(output: ConversionOutput): Converter {
  return { push: () => output.count("object", "no place"), end: () => {} };
}
