// The `<session>` argument: `-`, a path, `latest`, or a session id or its beginning. One meaning for every command.

import * as fs from "node:fs";
import { resolve, sep } from "node:path";
import { AppError } from "../base/errors.ts";
import { orAborted } from "../base/or-aborted.ts";
import { statOf } from "../base/stat.ts";
import { plural } from "../base/text.ts";
import { readSession } from "../session/open.ts";
import type { Session } from "../session/session.ts";
import { sessionFileChunks } from "../session/source.ts";
import { findSessions, latestSession, type StoredSession, storeDirectory } from "../session/store.ts";
import type { CommandContext } from "./command.ts";
import { agentOf, findAgentSession } from "./from-flag.ts";

/** What the argument means: stdin, or a file by its absolute path. */
export type SessionPlace =
  | { readonly kind: "stdin" }
  /** `chunks`: the session's bytes where it is more than one file. */
  | { readonly kind: "file"; readonly path: string; readonly chunks?: () => AsyncIterable<Uint8Array> };

const SHORTEST_PREFIX = 4;

/**
 * Finds what a `<session>` argument means, without reading it. Throws `AppError`: `notFound` for a path, an id or a
 * `latest` that is not there, `usage` for a prefix that is too short or that several sessions share.
 */
export function locateSession(context: CommandContext, text: string): SessionPlace {
  const agent = agentOf(context);
  if (agent !== undefined) {
    const { path, chunks } = findAgentSession(context, agent, text);
    return { kind: "file", path, chunks };
  }
  if (text === "-") return { kind: "stdin" };
  const path = resolve(context.cwd, text);
  if (looksLikePath(text)) {
    if (!fs.existsSync(path))
      throw new AppError("notFound", `Cannot open session "${text}": there is no such file`);
    return { kind: "file", path };
  }
  if (statOf(path)?.isFile()) return { kind: "file", path };
  const store = storeDirectory(context);
  if (text === "latest") {
    const latest = latestSession(store, context.cwd);
    if (latest === undefined)
      throw new AppError("notFound", `There is no session of ${context.cwd} in the store`, {
        hint: "agent session list --all shows the sessions of every directory.",
      });
    return { kind: "file", path: latest.path };
  }
  return { kind: "file", path: byId(findSessions(store, context.cwd, text), text) };
}

function looksLikePath(text: string): boolean {
  return text.includes("/") || text.includes(sep) || text.endsWith(".jsonl") || text.endsWith(".json");
}

function byId(found: readonly StoredSession[], text: string): string {
  const [first, ...others] = found;
  if (text.length < SHORTEST_PREFIX && first?.id !== text)
    throw new AppError("usage", `"${text}" is too short for the beginning of a session id`, {
      hint: `Give at least ${SHORTEST_PREFIX} characters, a path, "latest", or - for stdin.`,
    });
  if (first === undefined)
    throw new AppError("notFound", `There is no session whose id begins with "${text}"`, {
      hint: "agent session list --all shows the sessions of every directory.",
    });
  if (others.length > 0)
    throw new AppError("usage", `"${text}" is the beginning of ${found.length} session ids`, {
      hint: found.map((session) => `${session.id}  ${session.path}`).join("\n"),
    });
  return first.path;
}

/** Opens the session that the argument means, wherever it is. A signal ends the reading by throwing its reason. */
export async function openSessionArgument(context: CommandContext, text: string): Promise<Session> {
  const place = locateSession(context, text);
  const chunks = sessionChunks(context, place);
  return await readSession(chunks, place.kind === "stdin" ? {} : { path: place.path });
}

/** Says on stderr that something is wrong with a session that was read all the same. */
export function warnOfProblems({ io }: CommandContext, problems: readonly unknown[]): void {
  if (problems.length > 0)
    io.warning(`the session has ${plural(problems.length, "problem")}; agent session check says which`);
}

/** The bytes of the session that the argument means, until a signal: then its reason is thrown. */
export function sessionChunks(context: CommandContext, place: SessionPlace): AsyncIterable<Uint8Array> {
  const { io, signal } = context;
  if (place.kind === "stdin") return io.stdin.bytes("a session", signal);
  return untilAborted(place.chunks === undefined ? sessionFileChunks(place.path) : place.chunks(), signal);
}

/** Closes the source without waiting for it: a pipe that nobody writes to is still being opened. */
async function* untilAborted(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await orAborted(source.next(), signal);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    source.return?.().catch(() => {});
  }
}
