// One `agent handoff` from its flags to its exit code.

import { existsSync } from "node:fs";
import { AppError } from "../base/errors.ts";
import { branchOf, messagesOnBranch } from "../handoff/branch.ts";
import { collectFacts } from "../handoff/collect.ts";
import { evidenceOf } from "../handoff/evidence.ts";
import { buildOfflineDocument } from "../handoff/offline.ts";
import { parseSections } from "../handoff/sections.ts";
import { handoffEntry, type NewSession, successorHeader, writeSuccessor } from "../handoff/transfer.ts";
import { NO_USAGE } from "../model/messages.ts";
import type { Session } from "../session/session.ts";
import { newSessionPath, storeDirectory } from "../session/store.ts";
import { memoryWriter } from "../session/writer.ts";
import { loadSettings } from "../settings/load.ts";
import type { CommandContext } from "./command.ts";
import { EXIT_FINDINGS, EXIT_OK } from "./exit.ts";
import { type HandoffWish, handoffWish } from "./handoff-flags.ts";
import { openSessionArgument } from "./session-arg.ts";

export async function runHandoffCommand(context: CommandContext): Promise<number> {
  const { args, flags, io, cwd, home, env } = context;
  const [name, extra] = args;
  if (name === undefined) throw new AppError("usage", "handoff needs a session: a path, latest, an id, or -");
  if (extra !== undefined) throw new AppError("usage", `handoff takes one session, but "${extra}" follows`);
  const { settings, warnings } = loadSettings({
    cwd,
    home,
    env,
    configPath: flags.text("config"),
    trust: flags.has("trust"),
  });
  for (const warning of warnings) io.warning(warning);
  const wish = handoffWish(context, settings);
  if (wish.into !== undefined && existsSync(wish.into))
    throw new AppError("usage", `--into: something is at "${flags.text("into")}" already`);
  const session = await openSessionArgument(context, name);
  if (session.problems.length > 0)
    io.notice(`${session.problems.length} problems while reading (agent session check)`);
  if (messagesOnBranch(session) < 2) throw new AppError("nothing", "Nothing to hand off (no messages yet)");
  const facts = collectFacts(session.header, branchOf(session));
  const { header, format } = session;
  const document = buildOfflineDocument({
    facts,
    source: { id: header.id, cwd: header.cwd, format },
    budget: wish.budget,
    focus: wish.focus,
    evidence: wish.evidence,
  });
  const parsed = parseSections(document);
  const next = await transfer(context, { session, wish, document });
  await print(context, { wish, document, next, parsed, facts, session });
  return wish.strict && parsed.missing.length > 0 ? EXIT_FINDINGS : EXIT_OK;
}

interface TransferParts {
  readonly session: Session;
  readonly wish: HandoffWish;
  readonly document: string;
}

async function transfer(
  context: CommandContext,
  { session, wish, document }: TransferParts,
): Promise<NewSession | undefined> {
  const { cwd, pid, hostname, signal } = context;
  if (!wish.newSession) return undefined;
  const header = successorHeader(session.header, cwd);
  const path = wish.into ?? newSessionPath(storeDirectory(context), header);
  return await writeSuccessor({
    header,
    path,
    document,
    owner: { pid, hostname },
    waitMs: wish.waitMs,
    signal,
  });
}

interface PrintParts extends TransferParts {
  readonly next: NewSession | undefined;
  readonly parsed: ReturnType<typeof parseSections>;
  readonly facts: ReturnType<typeof collectFacts>;
}

async function print(context: CommandContext, parts: PrintParts): Promise<void> {
  const { io } = context;
  const { wish, document, next, session } = parts;
  switch (wish.output) {
    case "md":
      await io.stdout.write(document.endsWith("\n") ? document : `${document}\n`);
      break;
    case "json":
      await io.stdout.write(`${JSON.stringify(jsonOf(parts))}\n`);
      break;
    case "session": {
      const writer = memoryWriter(successorHeader(session.header, context.cwd));
      writer.append([handoffEntry(document, writer.header.timestamp)]);
      for await (const line of writer.lines()) await io.stdout.write(line);
    }
  }
  if (next !== undefined) io.notice(`New session started with handoff context: ${next.id} ${next.path}`);
}

function jsonOf({ document, parsed, facts, session, next }: PrintParts): object {
  return {
    document,
    sections: parsed.sections,
    missing: parsed.missing,
    engine: "offline",
    evidence: evidenceOf(facts),
    unverified: [],
    source: { id: session.header.id, path: session.path ?? null, format: session.format },
    session: next ?? null,
    usage: NO_USAGE,
  };
}
