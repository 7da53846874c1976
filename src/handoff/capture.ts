// The answer to the handoff prompt: bound to the messages of this run, never to an older one.

import type { AgentEvent } from "../agent/events.ts";
import { addUsage, NO_USAGE, textOf, toolCallsOf, type Usage } from "../model/messages.ts";

export interface Capture {
  /** Every event of the run, in order. */
  take(event: AgentEvent): void;
  /** The text blocks of the last message that was neither void nor aborted, joined with `\n`, trimmed. */
  readonly text: string;
  /** The model has ended its answer without text and without a call: there is nothing to wait for. */
  readonly isEmptyAnswer: boolean;
  /** Of all requests of the run. */
  readonly usage: Usage;
}

export function createCapture(): Capture {
  let text = "";
  let isEmptyAnswer = false;
  let usage = NO_USAGE;
  return {
    take(event) {
      if (event.type === "turn_end") usage = addUsage(usage, event.usage);
      if (event.type !== "message_end" || event.message.role !== "assistant" || event.discarded === true)
        return;
      const { message } = event;
      if (message.stopReason === "aborted" || message.stopReason === "error") return;
      text = textOf(message.content).trim();
      isEmptyAnswer = text === "" && toolCallsOf(message).length === 0 && message.stopReason === "stop";
    },
    get text() {
      return text;
    },
    get isEmptyAnswer() {
      return isEmptyAnswer;
    },
    get usage() {
      return usage;
    },
  };
}
