// What a list tells of another agent's session, from the beginning of its file: a file of any length costs the same.

import { textOf } from "../model/messages.ts";
import type { SessionHeader } from "./entry.ts";
import { convertSession } from "./formats/convert.ts";
import { isForeign } from "./open.ts";
import { type AgentSession, sessionFile } from "./places.ts";
import { type SessionSummary, summariseSession } from "./summary.ts";

const HEAD_BYTES = 262_144;
const PROMPT_LENGTH = 500;

/** A file of any format; undefined for one that is gone or is no session. */
export async function summariseFile(path: string): Promise<SessionSummary | undefined> {
  const session = sessionFile(path);
  return session === undefined ? undefined : await summariseAgentSession(session);
}

/** Undefined for a session that is gone, or holds nothing that can be read. */
export async function summariseAgentSession(session: AgentSession): Promise<SessionSummary | undefined> {
  const { path, format, size } = session;
  if (!isForeign(format)) return summariseSession(path);
  const state: Told = { header: undefined, name: undefined, prompt: "", messages: 0 };
  const head = firstBytes(session.chunks());
  for await (const item of convertSession({ format, chunks: head.chunks })) {
    if (item.kind === "header") state.header = item.header;
    if (item.kind !== "entry") continue;
    const { entry } = item;
    if (entry.type === "session_info") state.name = entry.name;
    if (entry.type !== "message") continue;
    state.messages += 1;
    if (state.prompt === "" && entry.message.role === "user") {
      state.prompt = textOf(entry.message.content).trim().slice(0, PROMPT_LENGTH);
    }
  }
  const { header, messages } = state;
  if (header === undefined) return undefined;
  const name = state.name ?? header.title ?? "";
  return {
    id: header.id,
    path,
    cwd: header.cwd === "" ? (session.cwd ?? "") : header.cwd,
    format,
    ...(name === "" ? {} : { name }),
    // What an OpenCode session's many files hold is more than the size of its record says.
    messages: head.wasCut() ? Math.max(messages, Math.round((messages * size) / HEAD_BYTES)) : messages,
    ...(head.wasCut() ? { messagesEstimated: true as const } : {}),
    modified: session.modified.toISOString(),
    firstPrompt: state.prompt,
  };
}

interface Told {
  header: SessionHeader | undefined;
  name: string | undefined;
  prompt: string;
  messages: number;
}

interface FirstBytes {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Whether there was more, once the chunks were read. */
  wasCut(): boolean;
}

function firstBytes(chunks: AsyncIterable<Uint8Array>): FirstBytes {
  let cut = false;
  async function* first(): AsyncGenerator<Uint8Array, void> {
    let left = HEAD_BYTES;
    for await (const chunk of chunks) {
      cut = chunk.length > left;
      yield cut ? chunk.subarray(0, left) : chunk;
      left -= chunk.length;
      if (left < 0) return;
    }
  }
  return { chunks: first(), wasCut: () => cut };
}
