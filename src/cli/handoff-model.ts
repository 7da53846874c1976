// The model engine: the prompt goes through the loop and is recorded in the old session, then the answer is checked
// against that session.

import { platform } from "node:os";
import type { AgentEvent } from "../agent/events.ts";
import { createRuleGuard } from "../agent/guard.ts";
import { NO_TOOLS } from "../agent/run.ts";
import { buildSystemPrompt } from "../agent/system-prompt.ts";
import { claimsOf, unverifiedClaims } from "../handoff/claims.ts";
import { collectSession } from "../handoff/facts/collect.ts";
import { type GeneratedHandoff, generateHandoff } from "../handoff/generate.ts";
import { buildModelDocument } from "../handoff/model-document.ts";
import { keepSecrets, redactSecrets } from "../handoff/redact.ts";
import { parseSections } from "../handoff/sections.ts";
import type { WrittenHandoff } from "../handoff/written.ts";
import type { Model } from "../model/model.ts";
import { buildSessionContext } from "../session/context.ts";
import { appendObstacle } from "../session/obstacle.ts";
import type { Session, SessionWriter } from "../session/session.ts";
import { getBranch } from "../session/tree.ts";
import { memoryWriter, resumeSession } from "../session/writer.ts";
import type { Settings } from "../settings/settings.ts";
import type { CommandContext } from "./command.ts";
import type { HandoffWish } from "./handoff-flags.ts";
import type { HandoffReport } from "./handoff-result.ts";
import { chooseModel } from "./model-choice.ts";
import { thinkFlag } from "./model-flags.ts";
import { runNotices } from "./run-notices.ts";
import { loadRunRules } from "./run-rules.ts";

export interface ModelParts {
  readonly session: Session;
  readonly settings: Settings;
  readonly wish: HandoffWish;
  readonly report: HandoffReport;
}

/** Throws the `AppError` of the handoff's end. The lock is given back in every end. */
export async function writeWithModel(context: CommandContext, parts: ModelParts): Promise<WrittenHandoff> {
  const { settings, wish } = parts;
  const sessionModel = buildSessionContext(parts.session).model;
  const model = await chooseModel({ context, settings, sessionModel, settingsModel: settings.handoff.model });
  const { session, writer } = await openOld(context, parts);
  try {
    const generated = await generate(context, { ...parts, session, writer, model });
    writer.flush();
    return await checked(context, { session, wish, generated });
  } finally {
    writer.close();
  }
}

/** The old session under its lock, as it is now; in memory where its file is not ours to write to. */
async function openOld(
  context: CommandContext,
  { session, wish }: ModelParts,
): Promise<{ readonly session: Session; readonly writer: SessionWriter }> {
  const { pid, hostname, signal, io } = context;
  const obstacle = appendObstacle(session);
  if (session.path === undefined || obstacle !== undefined) {
    if (session.path !== undefined) io.notice(`The prompt and its answer are not recorded: ${obstacle}`);
    return { session, writer: memoryWriter(session.header, session) };
  }
  const lock = { owner: { pid, hostname }, waitMs: wish.waitMs, signal };
  return await resumeSession({ path: session.path, opened: session, ...lock });
}

interface GenerateParts extends ModelParts {
  readonly writer: SessionWriter;
  readonly model: Model;
}

async function generate(context: CommandContext, parts: GenerateParts): Promise<GeneratedHandoff> {
  const { flags, cwd, signal } = context;
  const { session, writer, model, settings, wish, report } = parts;
  const rules = await loadRunRules(context, settings.ttsr);
  const think = thinkFlag(flags) ?? settings.think;
  const follow = followed(context, model);
  report.guard = createRuleGuard({
    rules: rules.watching,
    settings: settings.ttsr,
    cwd,
    tools: NO_TOOLS,
    injected: buildSessionContext(session).injectedTtsrRules,
  });
  const run = generateHandoff(
    {
      session,
      writer,
      model: follow.model,
      options: think === undefined ? {} : { think },
      systemPrompt: buildSystemPrompt({
        cwd: session.header.cwd || cwd,
        platform: platform(),
        date: new Date().toISOString().slice(0, 10),
        contextFiles: [],
        alwaysRules: rules.always,
        rulebook: [],
      }),
      focus: wish.focus,
      guard: report.guard,
      limits: { maxTokens: flags.integer("max-tokens") ?? settings.limits.maxTokens },
      retry: { ...settings.retry, attempts: flags.integer("retries") ?? settings.retry.attempts },
      onEvent(event) {
        report.tracker.take(event);
        follow.event(event);
      },
    },
    signal,
  );
  return await run.result;
}

/** Tells on stderr what goes on; while the session is reduced to the window, each of its parts. */
function followed(
  context: CommandContext,
  model: Model,
): { readonly model: Model; event(event: AgentEvent): void } {
  const notices = runNotices(context.io, true);
  let part: number | undefined;
  return {
    model: {
      ...model,
      stream(request, signal) {
        if (part !== undefined) {
          part += 1;
          context.io.progress(`handoff: summarising part ${part} of the session`);
        }
        return model.stream(request, signal);
      },
    },
    event(event) {
      if (event.type === "compaction_start") part = 0;
      if (event.type === "compaction_end") {
        context.io.notice(
          `the older part of the session was summarised in ${part} ${part === 1 ? "piece" : "pieces"}`,
        );
        part = undefined;
      }
      notices.event(event);
    },
  };
}

interface CheckParts {
  readonly session: Session;
  readonly wish: HandoffWish;
  readonly generated: GeneratedHandoff;
}

/** The model's text with what the session says of it. */
async function checked({ signal }: CommandContext, parts: CheckParts): Promise<WrittenHandoff> {
  const { session, wish, generated } = parts;
  const redact = wish.redact ? redactSecrets : keepSecrets;
  const facts = await collectSession(session, redact, signal);
  const claims = unverifiedClaims(claimsOf(generated.document), getBranch(session), session.header.cwd);
  const unverified = claims.map((claim) => ({ ...claim, text: redact(claim.text) }));
  const text = redact(generated.document);
  const document = buildModelDocument({
    text,
    unverified,
    facts: wish.evidence ? facts : undefined,
    budget: wish.budget,
  });
  const { sections } = parseSections(text);
  return {
    engine: "model",
    document,
    sections,
    missing: generated.missing,
    facts,
    unverified,
    usage: generated.usage,
  };
}
