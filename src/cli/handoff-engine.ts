// Who writes the document: the model that somebody named, or extraction without one.

import { type OllamaServer, serverAnswers } from "../model/ollama/server.ts";
import { buildSessionContext } from "../session/context.ts";
import type { Session } from "../session/session.ts";
import type { Settings } from "../settings/settings.ts";
import type { CommandContext } from "./command.ts";
import type { HandoffWish } from "./handoff-flags.ts";
import { chooseServer, namedModel } from "./model-choice.ts";

/** `auto`: a server that has not answered by then is taken for away. */
const ANSWERS_WITHIN_MS = 2_000;

export interface EngineParts {
  readonly session: Session;
  readonly settings: Settings;
  readonly wish: HandoffWish;
}

/**
 * `auto` takes the model if one is named and the server answers, else says why it does not. What the answer is does not
 * matter: a server that refuses is asked, so that it is heard why.
 */
export async function chooseEngine(
  context: CommandContext,
  parts: EngineParts,
): Promise<"model" | "offline"> {
  const { session, settings, wish } = parts;
  if (wish.engine !== "auto") return wish.engine;
  const sessionModel = buildSessionContext(session).model;
  const named = namedModel({ context, settings, sessionModel, settingsModel: settings.handoff.model });
  if (named === undefined) {
    context.io.notice("No model is named: the document is extracted without one (--engine offline)");
    return "offline";
  }
  if (named.startsWith("replay:")) return "model";
  const server = chooseServer({ context, settings });
  if (await answers(context, server)) return "model";
  context.io.notice(
    `The server at ${server.host.url} does not answer: the document is extracted without a model (--engine offline)`,
  );
  return "offline";
}

async function answers(context: CommandContext, server: OllamaServer): Promise<boolean> {
  const patience = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  try {
    return await serverAnswers(server, AbortSignal.any([context.signal, patience]));
  } catch (error) {
    context.signal.throwIfAborted();
    if (patience.aborted) return false;
    throw error;
  }
}
