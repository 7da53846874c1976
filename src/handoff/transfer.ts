// From a document to the session that goes on from it: one `custom_message` under a header of its own. The document is
// quoted in tags that nothing inside it can close.

import { statOf } from "../base/stat.ts";
import { textOf } from "../model/messages.ts";
import type { CustomMessageEntry, SessionHeader } from "../session/entry.ts";
import { newHeader } from "../session/header.ts";
import { newEntryId } from "../session/ids.ts";
import type { LockOptions } from "../session/lock.ts";
import { createSession } from "../session/writer.ts";

const HANDOFF_TYPE = "handoff";

/** What the next session begins with. */
function handoffContent(document: string): string {
  const safe = document.replace(/<\/(?=handoff-context\s*>)/gi, "<\\/");
  return `<handoff-context>\n${safe}\n</handoff-context>\n\nThe above is a handoff document from a previous session. Use this context to continue the work seamlessly.`;
}

/** The only entry of the new session. */
export function handoffEntry(document: string, timestamp: string): CustomMessageEntry {
  return {
    type: "custom_message",
    id: newEntryId(() => false),
    parentId: null,
    timestamp,
    customType: HANDOFF_TYPE,
    content: handoffContent(document),
    display: true,
  };
}

/** The document that an entry like that holds; undefined for any other entry. */
export function documentIn({ customType, content }: CustomMessageEntry): string | undefined {
  if (customType !== HANDOFF_TYPE) return undefined;
  const text = textOf(content);
  const quoted = /<handoff-context>\n?([\s\S]*?)\n?<\/handoff-context>/.exec(text)?.[1] ?? text;
  return quoted.replace(/<\\\/(?=handoff-context\s*>)/gi, "</");
}

/** The new session's header: an id of its own, the old one as its parent, the old directory if it exists here. */
export function successorHeader(old: SessionHeader, cwd: string): SessionHeader {
  return newHeader({ cwd: isDirectory(old.cwd) ? old.cwd : cwd, parentSession: old.id });
}

function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

export interface NewSession {
  readonly id: string;
  readonly path: string;
}

export interface TransferOptions extends LockOptions {
  readonly header: SessionHeader;
  /** Absolute; nothing may stand there. */
  readonly path: string;
  readonly document: string;
}

/**
 * Writes the new session. When it returns, the file is complete and synced under its name; when it throws, nothing
 * stands there that was not there before.
 */
export async function writeSuccessor(options: TransferOptions): Promise<NewSession> {
  const { header, path, document } = options;
  options.signal?.throwIfAborted();
  const writer = await createSession({ ...options, entries: [handoffEntry(document, header.timestamp)] });
  writer.close();
  return { id: header.id, path };
}
