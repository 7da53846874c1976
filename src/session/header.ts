// The first line of a session file.

import { isObject, numberAt, stringAt } from "../base/json.ts";
import { validTimestamp } from "./codec.ts";
import type { SessionHeader } from "./entry.ts";
import { newSessionId } from "./ids.ts";

export interface HeaderParts {
  /** Absolute working directory of the session. */
  readonly cwd: string;
  /** Id of the session that this one comes from. */
  readonly parentSession?: string | undefined;
  readonly title?: string | undefined;
  /** Left out: now. */
  readonly now?: Date;
}

/** The header of a new session: a new UUIDv7 as id, the time it was made. */
export function newHeader(parts: HeaderParts): SessionHeader {
  const now = parts.now ?? new Date();
  return {
    type: "session",
    version: 3,
    id: newSessionId(now.getTime()),
    timestamp: now.toISOString(),
    cwd: parts.cwd,
    ...(parts.parentSession === undefined ? {} : { parentSession: parts.parentSession }),
    ...(parts.title === undefined ? {} : { title: parts.title }),
  };
}

/** A header as some version of the format wrote it, brought to version 3, and the version that it had. */
export interface DecodedHeader {
  readonly header: SessionHeader;
  /** 1 where the header names none. */
  readonly version: number;
}

/** Decodes a header line's object; undefined if it is none. Members that we do not know are kept. */
export function decodeHeader(value: unknown): DecodedHeader | undefined {
  if (!isObject(value) || value["type"] !== "session") return undefined;
  const id = stringAt(value, "id");
  if (id === undefined || id === "") return undefined;
  const { parentSession, title, ...rest } = value;
  const header: SessionHeader = {
    ...rest,
    type: "session",
    version: 3,
    id,
    timestamp: validTimestamp(value) ?? new Date(0).toISOString(),
    cwd: stringAt(value, "cwd") ?? "",
    ...(typeof parentSession === "string" ? { parentSession } : {}),
    ...(typeof title === "string" ? { title } : {}),
  };
  return { header, version: numberAt(value, "version") ?? 1 };
}
