// The offline engine: facts in, document out. Takes no lock and writes nothing.

import { collectSession } from "../handoff/facts/collect.ts";
import { buildOfflineDocument } from "../handoff/offline.ts";
import { keepSecrets, redactSecrets } from "../handoff/redact.ts";
import { parseSections } from "../handoff/sections.ts";
import { splitEvidence } from "../handoff/told-before.ts";
import type { WrittenHandoff } from "../handoff/written.ts";
import { NO_USAGE } from "../model/messages.ts";
import type { Session } from "../session/session.ts";
import type { HandoffWish } from "./handoff-flags.ts";

export async function writeOffline(
  session: Session,
  wish: HandoffWish,
  signal: AbortSignal,
): Promise<WrittenHandoff> {
  const { header, format } = session;
  const facts = await collectSession(session, wish.redact ? redactSecrets : keepSecrets, signal);
  const document = buildOfflineDocument({
    facts,
    source: { id: header.id, cwd: header.cwd, format },
    budget: wish.budget,
    focus: wish.focus,
    evidence: wish.evidence,
  });
  const parsed = parseSections(splitEvidence(document).body);
  return { engine: "offline", document, ...parsed, facts, unverified: [], usage: NO_USAGE };
}
