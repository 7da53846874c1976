// Messages of ours that become part of the conversation.

import type { Message } from "../model/messages.ts";
import type { AgentEvent } from "./events.ts";
import type { Injection } from "./guard.ts";
import type { LoopState } from "./state.ts";

/** A reminder that follows a turn which nothing interrupted. */
export function* inject(state: LoopState, injection: Injection): Generator<AgentEvent, void> {
  const { reminder, injectedRules } = injection;
  state.messages.push(reminder);
  yield { type: "branch", mode: "keep", partial: undefined, results: [], reminder, injectedRules };
  yield { type: "message_start", role: "custom" };
  yield { type: "message_end", message: reminder };
}

/** Adds a message of ours to the conversation. */
export function* say(state: LoopState, message: Message): Generator<AgentEvent, void> {
  state.messages.push(message);
  yield { type: "message_start", role: message.role };
  yield { type: "message_end", message };
}
