// One request to the model, its failed attempts included: events as they come, and one answer at the end. What an
// attempt that failed had written is void, and said to be.

import type { AssistantMessage } from "../model/messages.ts";
import type { ModelEvent, ModelFailure } from "../model/model.ts";
import type { AgentEvent } from "./events.ts";
import type { Interrupt, Reaction } from "./guard.ts";
import { newPartial } from "./partial.ts";
import { mayRetry, waitForRetry } from "./retry.ts";
import { type LoopState, requestOf, spend } from "./state.ts";

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
  for (let number = 1; ; number++) {
    const answer = yield* attempt(state, number);
    if (answer.message !== undefined) spend(state, answer.message);
    if (answer.kind !== "failed") return answer;
    const { failure, message } = answer;
    const failed = { failure, attempt: number };
    if (!mayRetry(state, failed)) return answer;
    yield* discard(state, message);
    yield* waitForRetry(state, failed);
    if (state.clock.ended !== undefined) return { kind: "cut", message: undefined };
  }
}

/** What a failed attempt had written is void, and so is what rules saw in it. */
export function* discard(
  { run }: LoopState,
  message: AssistantMessage | undefined,
): Generator<AgentEvent, void> {
  run.guard?.messageVoid();
  if (message !== undefined) yield { type: "message_end", message, discarded: true };
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
      if (event.type === "done") {
        yield { type: "message_end", message: event.message };
        return { kind: "message", message: event.message };
      }
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

function* reportsOf(reaction: Reaction): Generator<AgentEvent, void> {
  yield* reaction.reports;
  for (const message of reaction.notices) yield { type: "notice", message };
}

/** What the caller must hear of an answer, also of one that a rule makes void. */
export function* noticesOf({ notices = [] }: ModelEvent & { type: "done" }): Generator<AgentEvent, void> {
  for (const message of notices) yield { type: "notice", message };
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
  if (event.type === "done") yield* noticesOf(event);
}
