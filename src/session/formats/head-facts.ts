// What a session file's beginning tells without reading the rest: its format, and the directory that it was made in.

import * as fs from "node:fs";
import { isObject, type JsonObject, objectAt, stringAt } from "../../base/json.ts";
import type { SessionFormat } from "../session.ts";
import { cwdInEnvironment } from "./codex-content.ts";
import { readHead } from "./head.ts";
import { recogniseHead } from "./recognise.ts";

export interface HeadFacts {
  readonly format: SessionFormat;
  readonly cwd: string | undefined;
  readonly id: string | undefined;
  /** OpenCode's own record of a session, whose messages lie in other files. */
  readonly isOpencodeInfo: boolean;
}

/** Enough for the first prompt of most sessions; less than recognition of damaged files would want. */
const FACTS_BYTES = 65_536;

/** Undefined for a file that is no session, or cannot be read. */
export function headFacts(path: string): HeadFacts | undefined {
  const bytes = firstBytes(path);
  if (bytes === undefined) return undefined;
  const head = readHead(bytes);
  const [first] = head;
  if (first !== undefined && isOpencodeInfo(first)) {
    return {
      format: "opencode",
      cwd: stringAt(first, "directory"),
      id: stringAt(first, "id"),
      isOpencodeInfo: true,
    };
  }
  const recognition = recogniseHead(head, bytes);
  if (recognition.kind !== "session") return undefined;
  const cwd = head.map(cwdOf).find((found) => found !== undefined && found !== "");
  const id = head.map(idOf).find((found) => found !== undefined);
  return { format: recognition.format, cwd, id, isOpencodeInfo: false };
}

function isOpencodeInfo(object: JsonObject): boolean {
  return "projectID" in object && "directory" in object && stringAt(object, "id") !== undefined;
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

function firstBytes(path: string): Uint8Array | undefined {
  try {
    const fd = fs.openSync(path, "r");
    try {
      const bytes = new Uint8Array(FACTS_BYTES);
      return bytes.subarray(0, fs.readSync(fd, bytes, 0, FACTS_BYTES, 0));
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
