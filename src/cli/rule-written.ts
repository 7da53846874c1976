// Which arguments of a tool call hold the text that it writes, whatever agent the call is of: rules see those, decoded.

import type { ToolCallBlock } from "../model/messages.ts";
import { PATH_ARGUMENTS, type WatchedArguments } from "../rules/stream.ts";
import { toolKindOf } from "../session/tool-kinds.ts";

const WRITTEN = ["content", "contents", "text", "file_text", "fileText", "code"];
const EDITED = [
  "newText",
  "new_text",
  "newString",
  "new_string",
  "new_str",
  "new_source",
  "replacement",
  "insert_text",
  "content",
  "file_text",
];

/**
 * Of a call that writes or edits a file: its path and the text, also where no text has come yet; of any other:
 * undefined, all its strings count.
 */
export function writtenArguments(call: ToolCallBlock): WatchedArguments | undefined {
  const kind = toolKindOf(call.name);
  if (kind !== "write" && kind !== "edit") return undefined;
  const names = kind === "write" ? WRITTEN : EDITED;
  const inLists = names.flatMap((name) => [name, `edits.${name}`, `replacements.${name}`]);
  const text = inLists.filter((name) => hasText(call.arguments, name.split(".")));
  const path = PATH_ARGUMENTS.find((name) => typeof call.arguments[name] === "string");
  if (text.length > 0) return { path: path ?? "path", text };
  return path !== undefined && Object.keys(call.arguments).length === 1 ? { path, text } : undefined;
}

function hasText(value: unknown, keys: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((item) => hasText(item, keys));
  const [key, ...rest] = keys;
  if (key === undefined) return typeof value === "string";
  return typeof value === "object" && value !== null && hasText(Reflect.get(value, key), rest);
}
