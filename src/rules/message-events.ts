// A message that is whole, as the stream that it might have come in: so rules see old messages as they see new ones.

import type { AssistantMessage } from "../model/messages.ts";
import type { ModelEvent } from "../model/model.ts";

/** The events of a message. One that was aborted or failed has no end, as its stream had none. */
export function* messageEvents(message: AssistantMessage): Generator<ModelEvent, void> {
  yield { type: "start" };
  for (const [contentIndex, block] of message.content.entries()) {
    switch (block.type) {
      case "text":
        yield { type: "text_delta", contentIndex, delta: block.text };
        break;
      case "thinking":
        yield { type: "thinking_delta", contentIndex, delta: block.thinking };
        break;
      case "toolCall":
        yield { type: "toolcall_start", contentIndex, id: block.id, name: block.name };
        yield { type: "toolcall_end", contentIndex, toolCall: block };
        break;
    }
  }
  if (message.stopReason === "aborted" || message.stopReason === "error") return;
  yield { type: "done", message };
}
