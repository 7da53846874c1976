// Claude Code's session files (~/.claude/projects): one object a line.

import { isObject, type JsonObject, stringAt } from "../../base/json.ts";
import type { Converter, ForeignFormat } from "./format.ts";
import type { ConversionOutput } from "./output.ts";

export const claudeFormat: ForeignFormat = {
  name: "claude",
  documentMember: undefined,
  recognise,
  converter,
};

const TYPES: ReadonlySet<string> = new Set([
  "user",
  "assistant",
  "system",
  "attachment",
  "progress",
  "queue-operation",
  "last-prompt",
  "ai-title",
  "custom-title",
  "agent-name",
  "permission-mode",
  "mode",
  "pr-link",
]);

function recognise(object: JsonObject): boolean {
  const type = stringAt(object, "type");
  if (type === undefined) return false;
  if (type === "summary") return "summary" in object && "leafUuid" in object;
  if (type === "file-history-snapshot") return "messageId" in object || "snapshot" in object;
  return "sessionId" in object && TYPES.has(type) && !isObject(object["payload"]);
}

function converter(output: ConversionOutput): Converter {
  return { push: () => output.count("object", "no place"), end: () => {} };
}
