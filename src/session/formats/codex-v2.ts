// Codex CLI's second generation: a line {id, timestamp, instructions, git}, then bare response items, with state records
// between. It tells no model, no usage, and the directory only in the environment block.

import { type JsonObject, objectAt, stringAt } from "../../base/json.ts";
import { createCodexItems } from "./codex-items.ts";
import type { Converter, ForeignFormat } from "./format.ts";
import type { ConversionOutput, Place } from "./output.ts";

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
  const items = createCodexItems(output);
  return {
    push(source) {
      const { value } = source;
      const place: Place = { source, timestamp: stringAt(value, "timestamp") };
      if ("record_type" in value) output.count(`record:${String(value["record_type"])}`, "bookkeeping");
      else if ("type" in value || "role" in value) items.push(value, place);
      else if ("id" in value) pushHeader(output, value, place);
      else output.count("object without a type", "no place");
    },
    end: () => items.turn.end(),
  };
}

/** The facts of a session that its first line, or the first generation's `session` member, tells. */
export function pushHeader(output: ConversionOutput, meta: JsonObject, place: Place): void {
  output.held();
  output.header({ id: stringAt(meta, "id"), timestamp: stringAt(meta, "timestamp") }, place);
  if (typeof meta["instructions"] === "string" && meta["instructions"] !== "") {
    output.count("instructions", "bookkeeping");
  }
  const git = objectAt(meta, "git") ?? {};
  const branch = stringAt(git, "branch");
  output.git(
    { branch, commit: stringAt(git, "commit_hash"), repository: stringAt(git, "repository_url") },
    place,
  );
}
