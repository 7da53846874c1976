// The session that a run writes to: a new file, one that goes on, a copy, or one in memory. What comes out is the history
// and a writer that holds the lock.

import type { Message } from "../model/messages.ts";
import type { ThinkingLevel } from "../model/model.ts";
import { buildSessionContext } from "../session/context.ts";
import { newHeader } from "../session/header.ts";
import type { AppendEntry, Session, SessionContext, SessionWriter } from "../session/session.ts";
import { newSessionPath, storeDirectory } from "../session/store.ts";
import { walkBranch } from "../session/tree.ts";
import { createSession, memoryWriter, resumeSession } from "../session/writer.ts";
import type { CommandContext } from "./command.ts";
import { NO_CONTEXT, type SessionStart } from "./run-session.ts";

export interface OpenedSession {
  readonly writer: SessionWriter;
  /** Ids of the entries that the history was made from, one a message. */
  readonly contextIds: readonly string[];
  readonly history: readonly Message[];
  readonly context: SessionContext;
}

/**
 * Takes the lock and opens or makes the file. Throws `AppError` (`locked`) if another process writes to it. A session
 * that goes on is read again under the lock.
 */
export async function openWriter(context: CommandContext, start: SessionStart): Promise<OpenedSession> {
  const owner = { pid: context.pid, hostname: context.hostname };
  const lock = { owner, waitMs: context.flags.duration("wait") ?? 0, signal: context.signal };
  const { base, leafId } = start;
  switch (start.kind) {
    case "memory":
      return opened(inMemory(context, start), base, leafId);
    case "resume": {
      if (base?.path === undefined) throw new Error("a session that goes on has a path");
      const { session, writer } = await resumeSession({ path: base.path, opened: base, ...lock });
      return opened(writer, session, session.leafId);
    }
    case "new":
    case "copy": {
      const header = newHeader({ cwd: context.cwd, parentSession: base?.header.id });
      const path = start.into ?? newSessionPath(storeDirectory(context), header);
      const branch = base === undefined ? {} : { branch: { session: base, leafId } };
      return opened(await createSession({ path, header, ...branch, ...lock }), base, leafId);
    }
  }
}

/** A session in memory keeps the id of the one that it goes on in; a fork is a new one that holds the branch alone. */
function inMemory({ cwd, flags }: CommandContext, { base, leafId }: SessionStart): SessionWriter {
  if (base === undefined) return memoryWriter(newHeader({ cwd }));
  if (!flags.has("fork")) return memoryWriter(base.header, base);
  const branch = walkBranch(base, leafId).indices;
  return memoryWriter(newHeader({ cwd, parentSession: base.header.id }), base, branch);
}

function opened(writer: SessionWriter, base: Session | undefined, leafId: string | null): OpenedSession {
  if (base === undefined) return { writer, contextIds: [], history: [], context: NO_CONTEXT };
  const context = buildSessionContext(base, leafId);
  return { writer, contextIds: context.entryIds, history: context.messages, context };
}

export interface RunFacts {
  readonly model: { readonly provider: string; readonly id: string };
  readonly think: ThinkingLevel | undefined;
  /** `--name`. */
  readonly name: string | undefined;
}

/** Records what changes with this run before its first message: the model, the thinking level, the name. */
export function recordFacts({ writer, context }: OpenedSession, { model, think, name }: RunFacts): void {
  const entries: AppendEntry[] = [];
  if (context.model?.provider !== model.provider || context.model.modelId !== model.id)
    entries.push({ type: "model_change", provider: model.provider, modelId: model.id });
  if (think !== undefined && think !== context.thinkingLevel)
    entries.push({ type: "thinking_level_change", thinkingLevel: think });
  if (name !== undefined) entries.push({ type: "session_info", name });
  if (entries.length > 0) writer.append(entries);
}
