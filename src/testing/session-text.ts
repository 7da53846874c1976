// Session files as text, for tests: short ways to write lines, and to read text as a session.

import type { Entry } from "../session/entry.ts";
import { readSession } from "../session/open.ts";
import type { Session } from "../session/session.ts";

export const HEADER = {
  type: "session",
  version: 3,
  id: "0190f3a2-7c1e-7000-8000-000000000001",
  timestamp: "2026-01-02T03:04:05.000Z",
  cwd: "/home/someone/project",
} as const;

/** A time in the session, so many seconds after its header. */
export function timeAt(second: number): string {
  return new Date(Date.parse(HEADER.timestamp) + second * 1000).toISOString();
}

/** Lines of JSON; texts stand for themselves. Every line is ended. */
export function jsonl(...lines: readonly (object | string)[]): string {
  return lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
}

/** A user message entry. */
export function userEntry(id: string, parentId: string | null, text = id) {
  return {
    type: "message",
    id,
    parentId,
    timestamp: timeAt(1),
    message: { role: "user", content: text, timestamp: 1767323046000 },
  } as const;
}

/** An assistant message entry, of one text. */
export function assistantEntry(id: string, parentId: string | null, more: object = {}) {
  return {
    type: "message",
    id,
    parentId,
    timestamp: timeAt(2),
    message: {
      role: "assistant",
      content: [{ type: "text", text: `answer ${id}` }],
      api: "ollama",
      provider: "ollama",
      model: "m",
      usage: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 3 },
      stopReason: "stop",
      timestamp: 1767323047000,
      ...more,
    },
  };
}

/** The text in chunks of `size` bytes. */
export async function* chunksOf(text: string | Uint8Array, size = 1 << 16): AsyncGenerator<Uint8Array, void> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  for (let start = 0; start < bytes.length; start += size) yield bytes.slice(start, start + size);
}

/** The session that a text is. */
export function sessionOf(text: string | Uint8Array): Promise<Session> {
  return readSession(chunksOf(text));
}

/** A session of these entries, under a header. */
export function sessionWith(...entries: readonly object[]): Promise<Session> {
  return sessionOf(jsonl(HEADER, ...entries));
}

export function idsOf(entries: Iterable<Entry>): readonly string[] {
  return [...entries].map((entry) => entry.id);
}
