// A message while it is being received, put together from the stream's events.

import type { AssistantBlock, AssistantMessage, StopReason } from "../model/messages.ts";
import { NO_USAGE } from "../model/messages.ts";
import type { Model, ModelEvent } from "../model/model.ts";

export interface PartialMessage {
  /** Takes the next event. */
  add(event: ModelEvent): void;
  /** Whether any content has come, be it only the name of a tool. */
  readonly started: boolean;
  /** What has come: whole tool calls only, no empty blocks. */
  message(stopReason: StopReason, timestamp: number): AssistantMessage;
  /** What has come, cut off; a tool call that is not whole has the text of its arguments so far as `partialJson`. */
  audit(timestamp: number): AssistantMessage;
}

type Growing =
  | { readonly type: "text" | "thinking"; text: string }
  | { readonly type: "call"; readonly id: string; readonly name: string; json: string }
  | { readonly type: "whole"; readonly block: AssistantBlock };

/** An empty message of `model`, ready to receive. */
export function newPartial(model: Model): PartialMessage {
  const blocks = new Map<number, Growing>();
  const ordered = () => [...blocks].sort(([a], [b]) => a - b).map(([, block]) => block);
  const message = (content: readonly AssistantBlock[], stopReason: StopReason, timestamp: number) => ({
    role: "assistant" as const,
    content,
    api: model.provider,
    provider: model.provider,
    model: model.id,
    usage: NO_USAGE,
    stopReason,
    timestamp,
  });
  return {
    add: (event) => grow(blocks, event),
    get started() {
      return blocks.size > 0;
    },
    message: (stopReason, timestamp) => message(ordered().flatMap(finished), stopReason, timestamp),
    audit: (timestamp) => message(ordered().flatMap(asItStands), "aborted", timestamp),
  };
}

function grow(blocks: Map<number, Growing>, event: ModelEvent): void {
  switch (event.type) {
    case "text_delta":
    case "thinking_delta": {
      const type = event.type === "text_delta" ? "text" : "thinking";
      const block = blocks.get(event.contentIndex);
      if (block?.type === type) block.text += event.delta;
      else blocks.set(event.contentIndex, { type, text: event.delta });
      return;
    }
    case "toolcall_start":
      blocks.set(event.contentIndex, { type: "call", id: event.id, name: event.name, json: "" });
      return;
    case "toolcall_delta": {
      const block = blocks.get(event.contentIndex);
      if (block?.type === "call") block.json += event.delta;
      return;
    }
    case "toolcall_end":
      blocks.set(event.contentIndex, { type: "whole", block: event.toolCall });
      return;
    case "start":
    case "done":
    case "error":
      return;
  }
}

function finished(block: Growing): readonly AssistantBlock[] {
  if (block.type === "whole") return [block.block];
  if (block.type === "call" || block.text === "") return [];
  return block.type === "text"
    ? [{ type: "text", text: block.text }]
    : [{ type: "thinking", thinking: block.text }];
}

function asItStands(block: Growing): readonly AssistantBlock[] {
  if (block.type !== "call") return finished(block);
  return [{ type: "toolCall", id: block.id, name: block.name, arguments: { partialJson: block.json } }];
}
