// What `agent handoff` prints: the document, one JSON document, or the new session itself.

import { jsonText } from "../base/well-formed.ts";
import { evidenceOf } from "../handoff/evidence.ts";
import { handoffEntry, type NewSession } from "../handoff/transfer.ts";
import type { WrittenHandoff } from "../handoff/written.ts";
import { encodeEntry, encodeHeader } from "../session/codec.ts";
import type { SessionHeader } from "../session/entry.ts";
import type { Session } from "../session/session.ts";
import type { CommandContext } from "./command.ts";
import type { HandoffWish } from "./handoff-flags.ts";

export interface PrintedHandoff {
  readonly wish: HandoffWish;
  readonly written: WrittenHandoff;
  /** The new session's file; undefined if none was made. */
  readonly next: NewSession | undefined;
  /** The new session's header. */
  readonly header: SessionHeader;
  readonly session: Session;
}

/** Prints the result on stdout, and where the new session is on stderr. */
export async function printHandoff({ io }: CommandContext, parts: PrintedHandoff): Promise<void> {
  const { wish, written, next, header } = parts;
  switch (wish.output) {
    case "md":
      await io.stdout.write(written.document.endsWith("\n") ? written.document : `${written.document}\n`);
      break;
    case "json":
      await io.stdout.write(`${jsonText(jsonOf(parts))}\n`);
      break;
    case "session":
      await io.stdout.write(
        `${encodeHeader(header)}\n${encodeEntry(handoffEntry(written.document, header.timestamp))}\n`,
      );
  }
  if (next !== undefined) io.notice(`New session started with handoff context: ${next.id} ${next.path}`);
}

function jsonOf({ written, session, next }: PrintedHandoff): object {
  const { document, sections, missing, engine, facts, unverified, usage } = written;
  return {
    document,
    sections,
    missing,
    engine,
    evidence: evidenceOf(facts),
    unverified,
    source: { id: session.header.id, path: session.path ?? null, format: session.format },
    session: next ?? null,
    usage,
  };
}
