// Keeping the conversation inside the model's window: before a request would exceed it, old tool results are shortened;
// if that is not enough, the older part becomes a summary. What is kept stays whole: a call never loses its result.

import { toModelMessages } from "../model/context.ts";
import type { CompactionSummaryMessage, Message } from "../model/messages.ts";
import type { ModelFailure, ModelInfo } from "../model/model.ts";
import { correctEstimate, estimateMessageTokens, estimateRequestTokens } from "../model/tokens.ts";
import { findCutPoint } from "./cut-point.ts";
import type { AgentEvent } from "./events.ts";
import { shortenResults } from "./shorten.ts";
import { type LoopState, requestOf } from "./state.ts";
import { summarise } from "./summary.ts";

/** Part of the window that is left for the answer. */
const ANSWER_SHARE = 0.2;
/** Part of the window that messages kept word for word may take after a summary. */
const KEPT_SHARE = 0.3;
/** Part of the window that a summary must free to be worth a request: a small window may be full of tools alone. */
const WORTH_SHARE = 0.1;
/** The newest messages, whose results are shortened only if nothing else helps. */
const NEW_MESSAGES = 6;

/** `cut`: by a signal or a limit. */
export type FitProblem =
  | { readonly kind: "failed"; readonly failure: ModelFailure }
  | { readonly kind: "cut" };

/**
 * Makes the next request fit the window. `force`: the server said that it does not, whatever we estimate. Changes
 * `state.messages`; yields what was done. Gives `undefined` if the request fits, as far as is known.
 */
export async function* fitToWindow(
  state: LoopState,
  force: boolean,
): AsyncGenerator<AgentEvent, FitProblem | undefined> {
  const window = (await windowOf(state)) ?? (force ? tokensOf(state) : undefined);
  if (window === undefined) return undefined;
  const limit = force ? Math.min(window, tokensOf(state)) * 0.6 : window * (1 - ANSWER_SHARE);
  if (tokensOf(state) <= limit) return undefined;
  state.messages = [...shortenResults(state.messages, state.messages.length - NEW_MESSAGES)];
  if (tokensOf(state) <= limit) return undefined;
  const problem = yield* compact(state, window);
  if (problem !== undefined) return problem;
  if (tokensOf(state) > limit) state.messages = [...shortenResults(state.messages, state.messages.length)];
  return undefined;
}

async function* compact(
  state: LoopState,
  window: number,
): AsyncGenerator<AgentEvent, FitProblem | undefined> {
  const at = findCutPoint(state.messages, window * KEPT_SHARE, sizeOf);
  if (at === undefined || sizesOf(state.messages.slice(0, at)) < window * WORTH_SHARE) return undefined;
  const tokensBefore = tokensOf(state);
  yield { type: "compaction_start", tokensBefore };
  const summary = yield* summarise(state, { messages: state.messages.slice(0, at), window });
  if (summary.kind !== "summary") return summary;
  const kept = state.messages.slice(at);
  const message: CompactionSummaryMessage = {
    role: "compactionSummary",
    summary: summary.text,
    tokensBefore,
    timestamp: state.now(),
  };
  state.messages = [message, ...kept];
  state.lastCount = undefined;
  yield { type: "compaction_end", summary: summary.text, tokensBefore, keptMessages: kept.length };
  return state.clock.tokensLeft === 0 ? { kind: "cut" } : undefined;
}

/** The window, if the model tells it. */
async function windowOf({ run, clock }: LoopState): Promise<number | undefined> {
  const info: ModelInfo | undefined = await run.model.info(clock.signal).catch(() => undefined);
  return info?.contextWindow;
}

function tokensOf(state: LoopState): number {
  return correctEstimate(estimateRequestTokens(requestOf(state)), state.lastCount);
}

function sizeOf(message: Message): number {
  const sent = message.role === "toolResult" ? [message] : toModelMessages([message]).slice(0, 1);
  return sent.reduce((sum, each) => sum + estimateMessageTokens(each), 0);
}

function sizesOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + sizeOf(message), 0);
}
