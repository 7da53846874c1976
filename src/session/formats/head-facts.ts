// What a session file's beginning tells without reading the rest: its format, and the directory that it was made in.

import * as fs from "node:fs";
import { isObject, type JsonObject, objectAt, parseJson, stringAt } from "../../base/json.ts";
import type { SessionFormat } from "../session.ts";
import { cwdInEnvironment } from "./codex-content.ts";
import { readHead } from "./head.ts";
import { isOpencodeInfo } from "./opencode.ts";
import { recogniseHead } from "./recognise.ts";

export interface HeadFacts {
  readonly format: SessionFormat;
  readonly cwd: string | undefined;
  readonly id: string | undefined;
  /** OpenCode's own record of a session, whose messages lie in other files. */
  readonly isOpencodeInfo: boolean;
  /** A subagent's session: nobody means it by "latest". */
  readonly isSubagent: boolean;
  /** False for a file that is known to hold none: an agent that was opened and closed again. */
  readonly hasMessages: boolean;
}

/** Enough for the first prompt of most sessions; less than recognition of damaged files would want. */
const FACTS_BYTES = 65_536;
/** Where thousands of lines that tell no directory stand before the first message. */
const LONG_BYTES = 4_194_304;

/** Undefined for a file that is no session, or cannot be read. */
export function headFacts(path: string): HeadFacts | undefined {
  const bytes = firstBytes(path, FACTS_BYTES);
  if (bytes === undefined) return undefined;
  const head = readHead(bytes);
  const [first] = head;
  if (first !== undefined && isOpencodeInfo(first)) {
    return {
      format: "opencode",
      cwd: stringAt(first, "directory"),
      id: stringAt(first, "id"),
      isOpencodeInfo: true,
      isSubagent: "parentID" in first,
      hasMessages: true,
    };
  }
  const recognition = recogniseHead(head, bytes);
  if (recognition.kind !== "session") return undefined;
  const { format } = recognition;
  const found = head.map(cwdOf).find((cwd) => cwd !== undefined && cwd !== "");
  const cwd = found ?? (format === "claude" && bytes.length === FACTS_BYTES ? laterCwd(path) : undefined);
  const id = head.map(idOf).find((told) => told !== undefined);
  const hasMessages = bytes.length === FACTS_BYTES || head.some(holdsMessage);
  return { format, cwd, id, isOpencodeInfo: false, isSubagent: head.some(isSubagentMeta), hasMessages };
}

const MESSAGE_TYPES: ReadonlySet<unknown> = new Set([
  "user",
  "assistant",
  "message",
  "gemini",
  "user.message",
  "assistant.message",
]);

/** A message of any format, or a document that has some. */
function holdsMessage(object: JsonObject): boolean {
  const list = object["messages"] ?? object["items"];
  if (Array.isArray(list) && list.length > 0) return true;
  return MESSAGE_TYPES.has(object["type"]) || objectAt(object, "payload")?.["type"] === "message";
}

/** The first directory that a Claude Code file names, further on than its head. */
function laterCwd(path: string): string | undefined {
  const bytes = firstBytes(path, LONG_BYTES);
  const quoted = /"cwd":("(?:[^"\\\n]|\\.)*")/.exec(new TextDecoder().decode(bytes))?.[1];
  const cwd = parseJson(quoted ?? "");
  return typeof cwd === "string" ? cwd : undefined;
}

/** Codex and Gemini say so in their first line. */
function isSubagentMeta(object: JsonObject): boolean {
  if (object["type"] === "session_meta") {
    const source = objectAt(objectAt(object, "payload") ?? {}, "source");
    return source !== undefined && "subagent" in source;
  }
  return object["kind"] === "subagent" && "sessionId" in object;
}

/** The session's id, in whichever object of whichever format tells it. */
function idOf(object: JsonObject): string | undefined {
  const type = object["type"];
  const payload = type === "session_meta" ? objectAt(object, "payload") : undefined;
  const data = type === "session.start" ? objectAt(object, "data") : undefined;
  return (
    stringAt(object, "sessionId") ??
    stringAt(payload ?? {}, "id") ??
    stringAt(data ?? {}, "sessionId") ??
    stringAt(objectAt(object, "session") ?? {}, "id") ??
    (type === "session" || "instructions" in object ? stringAt(object, "id") : undefined)
  );
}

/** The directory that an object of any format names. */
function cwdOf(object: JsonObject): string | undefined {
  const payload = objectAt(object, "payload");
  const context = objectAt(objectAt(object, "data") ?? {}, "context");
  const info = objectAt(object, "info");
  return (
    stringAt(object, "cwd") ??
    stringAt(payload ?? {}, "cwd") ??
    stringAt(context ?? {}, "cwd") ??
    stringAt(info ?? {}, "directory") ??
    environmentCwd(payload ?? object)
  );
}

/** Old Codex files name it in a message only. */
function environmentCwd(item: JsonObject): string | undefined {
  const content = item["content"];
  if (!Array.isArray(content)) return undefined;
  const texts = content.flatMap((block) => (isObject(block) ? (stringAt(block, "text") ?? []) : []));
  return texts.map(cwdInEnvironment).find((cwd) => cwd !== undefined);
}

function firstBytes(path: string, count: number): Uint8Array | undefined {
  try {
    const fd = fs.openSync(path, "r");
    try {
      const bytes = new Uint8Array(count);
      return bytes.subarray(0, fs.readSync(fd, bytes, 0, count, 0));
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
