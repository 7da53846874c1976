// Files of pi and oh-my-pi, our own format: recognising them, with or without their header.

import { isObject, type JsonObject, numberAt, stringAt } from "../../base/json.ts";
import type { SessionFormat } from "../session.ts";
import type { Head } from "./format.ts";

/** Types that only these files have at an entry's top level; `message` and `session` are looked at more closely. */
const ENTRY_TYPES: ReadonlySet<string> = new Set([
  "branch_summary",
  "compaction",
  "custom_message",
  "model_change",
  "session_info",
  "session_init",
  "thinking_level_change",
  "ttsr_injection",
]);

/** True for a header, an oh-my-pi title line or an entry of any version. */
export function isPiObject(object: JsonObject): boolean {
  const type = stringAt(object, "type");
  if (type === undefined || "payload" in object) return false;
  if (type === "session") return "id" in object || "cwd" in object || "version" in object;
  if (type === "title") return "title" in object && "v" in object;
  if (type === "message") return isObject(object["message"]) && "role" in object["message"];
  return ENTRY_TYPES.has(type) && "timestamp" in object;
}

/** The version that the header names; without a header, what the first entries look like. */
export function piVersion(head: Head): Extract<SessionFormat, `pi-${string}`> {
  const header = head.find((object) => object["type"] === "session");
  if (header !== undefined) {
    const version = numberAt(header, "version");
    return version === undefined || version < 2 ? "pi-v1" : version === 2 ? "pi-v2" : "pi-v3";
  }
  const entry = head.find((object) => object["type"] !== "title");
  return entry !== undefined && !("id" in entry) ? "pi-v1" : "pi-v3";
}
