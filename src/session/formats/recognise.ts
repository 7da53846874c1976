// Which format a file is in, from its first bytes, never from its name. A file that is none of the known formats is
// told apart from the look-alikes that lie beside sessions.

import { type JsonObject, numberAt, stringAt } from "../../base/json.ts";
import type { SessionFormat } from "../session.ts";
import type { Head } from "./format.ts";
import { readHead } from "./head.ts";
import { isOpencodeInfo } from "./opencode.ts";
import { isPiObject, piVersion } from "./pi.ts";
import { FOREIGN_FORMATS } from "./registry.ts";

/** For messages: what is read. */
export const KNOWN_FORMATS =
  "pi and oh-my-pi (versions 1-3), Claude Code, Codex CLI (three generations), OpenCode exports, Gemini CLI, Copilot CLI";

/** `unknown`: `seen` says in a few words what the file begins with. */
export type Recognition =
  | { readonly kind: "session"; readonly format: SessionFormat }
  | { readonly kind: "unknown"; readonly seen: string };

/** Recognises a session by the first bytes of its file (`HEAD_BYTES` of them, or all if there are fewer). */
export function recogniseFormat(bytes: Uint8Array): Recognition {
  return recogniseHead(readHead(bytes), bytes);
}

/** The same for a head that was read from these bytes already. */
export function recogniseHead(head: Head, bytes: Uint8Array): Recognition {
  if (isDatabase(bytes)) return { kind: "unknown", seen: DATABASE };
  for (const object of head) {
    const foreign = FOREIGN_FORMATS.find((format) => format.recognise(object));
    if (foreign !== undefined) return { kind: "session", format: foreign.name };
    if (isPiObject(object)) return { kind: "session", format: piVersion(head) };
  }
  return { kind: "unknown", seen: describe(bytes, head) };
}

const DATABASE =
  "an SQLite database (OpenCode writes a session of one into a file: opencode export <id> > session.json)";

/** Text of messages lies inside too, and must not be taken for lines of a session. */
function isDatabase(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 16)) === "SQLite format 3\0";
}

function describe(bytes: Uint8Array, head: Head): string {
  if (bytes.length === 0) return "empty";
  const first = head[0];
  if (first === undefined) return describeText(bytes);
  return lookAlike(first) ?? `JSON objects with the members ${memberNames(first)}`;
}

/** Files that lie beside sessions and are none. */
function lookAlike(first: JsonObject): string | undefined {
  const has = (key: string) => Object.hasOwn(first, key);
  if (has("display") && (has("pastedContents") || has("project"))) {
    return "Claude Code's prompt history (history.jsonl), not a session";
  }
  if (stringAt(first, "session_id") !== undefined && has("text") && numberAt(first, "ts") !== undefined) {
    return "Codex's prompt history (history.jsonl), not a session";
  }
  if (has("thread_name") && has("updated_at")) {
    return "Codex's list of sessions (session_index.jsonl), not a session";
  }
  if (isOpencodeInfo(first)) {
    return "OpenCode's record of a session, whose messages lie in other files (--from opencode reads them)";
  }
  return undefined;
}

function memberNames(object: JsonObject): string {
  const names = Object.keys(object);
  const shown = names.slice(0, 6).map((name) => JSON.stringify(name.slice(0, 40)));
  return names.length > shown.length ? `${shown.join(", ")}, …` : shown.join(", ");
}

function describeText(bytes: Uint8Array): string {
  const start = new TextDecoder().decode(bytes.subarray(0, 400)).trimStart();
  if (start.includes("\0") || start.includes("\ufffd")) return "bytes that are not text";
  if (start === "") return "white space only";
  if (start.startsWith("[")) return "a JSON array";
  return `text that begins ${JSON.stringify(start.slice(0, 40))}`;
}
