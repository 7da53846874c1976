// One request to the model, its failed attempts included: events as they come, and one answer at the end. What an
// attempt that failed had written is void, and said to be.

import { sleep } from "../model/abort.ts";
import type { AssistantMessage } from "../model/messages.ts";
import type { ModelEvent, ModelFailure } from "../model/model.ts";
import { backoffDelay } from "./backoff.ts";
import type { AgentEvent } from "./events.ts";
import type { Interrupt, Reaction } from "./guard.ts";
import { newPartial } from "./partial.ts";
import { generatedTokens, type LoopState, requestOf, spend, usageOf } from "./state.ts";

/**
 * How a request ended. `message`: whole; its `message_end` was yielded. `interrupted`: by a rule; what came until then,
 * nothing said of its end yet. `failed` and `cut` (by a signal or the clock): the same, `message` being undefined if
 * nothing had come.
 */
export type Answer =
  | { readonly kind: "message"; readonly message: AssistantMessage }
  | { readonly kind: "interrupted"; readonly message: AssistantMessage; readonly interrupt: Interrupt }
  | {
      readonly kind: "failed";
      readonly message: AssistantMessage | undefined;
      readonly failure: ModelFailure;
    }
  | { readonly kind: "cut"; readonly message: AssistantMessage | undefined };

/** Asks, and asks again after a failure that may pass. What each attempt used is counted. */
export async function* askModel(state: LoopState): AsyncGenerator<AgentEvent, Answer> {
  const { run, clock } = state;
  const { attempts, baseDelayMs } = run.retry;
  for (let retry = 1; ; retry++) {
    const answer = yield* attempt(state, retry);
    if (answer.message !== undefined) spend(state, usageOf(answer.message), generatedTokens(answer.message));
    if (answer.kind !== "failed") return answer;
    const { failure, message } = answer;
    if (retry > attempts || clock.tokensLeft === 0 || !isWorthRetrying(failure)) return answer;
    run.guard?.messageVoid();
    if (message !== undefined) yield { type: "message_end", message, discarded: true };
    const { retryAfterMs } = failure;
    const delayMs = backoffDelay({ attempt: retry, baseDelayMs, retryAfterMs, random: Math.random() });
    yield { type: "retry", attempt: retry, maxAttempts: attempts, delayMs, error: failure.message };
    await sleep(delayMs, clock.signal);
    if (clock.ended !== undefined) return { kind: "cut", message: undefined };
  }
}

/** A server that asks for a longer wait than this has told us to come back another time: exit 69 says the same. */
const MAX_RETRY_AFTER_MS = 10 * 60_000;

function isWorthRetrying({ retryable, retryAfterMs = 0 }: ModelFailure): boolean {
  return retryable && retryAfterMs <= MAX_RETRY_AFTER_MS;
}

/** One attempt. The request is closed in every end, and before anybody is told of an interrupt. */
async function* attempt(state: LoopState, number: number): AsyncGenerator<AgentEvent, Answer> {
  const { run, clock, now } = state;
  const partial = newPartial(run.model);
  const close = new AbortController();
  const stream = run.model.stream(requestOf(state), AbortSignal.any([clock.signal, close.signal]));
  run.guard?.begin();
  let announced = false;
  try {
    for await (const event of stream) {
      const reaction = run.guard?.push(event);
      if (reaction?.interrupt !== undefined) close.abort();
      partial.add(event);
      if (!announced && (partial.started || event.type === "done")) {
        announced = true;
        yield { type: "message_start", role: "assistant", ...(number > 1 ? { attempt: number } : {}) };
      }
      yield* updateOf(event);
      if (reaction !== undefined) yield* reportsOf(reaction);
      if (reaction?.interrupt !== undefined) {
        const { mode } = reaction.interrupt;
        const received = mode === "keep" ? partial.message("aborted", now()) : partial.audit(now());
        const counted = event.type === "done" ? { usage: event.message.usage } : {};
        return { kind: "interrupted", message: { ...received, ...counted }, interrupt: reaction.interrupt };
      }
      if (event.type === "done") return yield* finish(event);
      if (event.type !== "error") continue;
      if (clock.ended !== undefined) {
        return { kind: "cut", message: announced ? partial.message("aborted", now()) : undefined };
      }
      const message = { ...partial.message("error", now()), errorMessage: event.failure.message };
      return { kind: "failed", message: announced ? message : undefined, failure: event.failure };
    }
  } finally {
    close.abort();
  }
  throw new Error("the model's stream ended without done or error");
}

async function* finish(event: ModelEvent & { type: "done" }): AsyncGenerator<AgentEvent, Answer> {
  for (const message of event.notices ?? []) yield { type: "notice", message };
  yield { type: "message_end", message: event.message };
  return { kind: "message", message: event.message };
}

function* reportsOf(reaction: Reaction): Generator<AgentEvent, void> {
  yield* reaction.reports;
  for (const message of reaction.notices) yield { type: "notice", message };
}

function* updateOf(event: ModelEvent): Generator<AgentEvent, void> {
  const update = (
    kind: "text" | "thinking" | "toolCall",
    contentIndex: number,
    delta: string,
  ): AgentEvent => ({
    type: "message_update",
    contentIndex,
    kind,
    delta,
  });
  if (event.type === "text_delta") yield update("text", event.contentIndex, event.delta);
  if (event.type === "thinking_delta") yield update("thinking", event.contentIndex, event.delta);
  if (event.type === "toolcall_delta") yield update("toolCall", event.contentIndex, event.delta);
}
