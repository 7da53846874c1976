// A message of a session, as the stream that it might have come in: so rules see old messages as they see new ones.

import type { AssistantMessage } from "../model/messages.ts";
import type { ModelEvent } from "../model/model.ts";
import { cutJsonOf } from "./cut-call.ts";

/** The events of a message. One that was aborted or failed has no end, as its stream had none; nor has a cut call. */
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
      case "toolCall": {
        const cut = cutJsonOf(block, message);
        yield { type: "toolcall_start", contentIndex, id: block.id, name: block.name };
        if (cut === undefined) yield { type: "toolcall_end", contentIndex, toolCall: block };
        else yield { type: "toolcall_delta", contentIndex, delta: cut };
        break;
      }
    }
  }
  if (message.stopReason === "aborted" || message.stopReason === "error") return;
  yield { type: "done", message };
}
