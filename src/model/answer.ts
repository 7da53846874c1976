// Builds an assistant message out of pieces and says, for each piece, which events a stream gives for it. The one
// place that numbers content blocks: events and the final message always agree.

import type { AssistantBlock, AssistantMessage, StopReason, ToolCallBlock, Usage } from "./messages.ts";
import type { ModelEvent, ModelFailure } from "./model.ts";

export interface AnswerIdentity {
  readonly api: string;
  readonly provider: string;
  readonly model: string;
}

export interface AnswerBuilder {
  /** `newBlock`: not one with the text before. */
  text(delta: string, newBlock?: boolean): readonly ModelEvent[];
  thinking(delta: string): readonly ModelEvent[];
  /** A call that came whole: `start`, one `delta` with the arguments' JSON, `end`. */
  toolCall(call: ToolCallBlock): readonly ModelEvent[];
  toolCallStart(id: string, name: string): readonly ModelEvent[];
  toolCallDelta(delta: string): readonly ModelEvent[];
  toolCallEnd(call: ToolCallBlock): readonly ModelEvent[];
  hasToolCalls(): boolean;
  /** Text so far, or up to the block of this number, was thinking after all: blocks change their type, numbers stay. */
  textWasThinking(until?: number): void;
  done(end: {
    readonly stopReason: StopReason;
    readonly usage: Usage;
    readonly notices?: readonly string[];
  }): ModelEvent;
  error(end: {
    readonly failure: ModelFailure;
    readonly aborted: boolean;
    readonly usage: Usage;
  }): ModelEvent;
}

/** A builder for one answer. `now` gives the message's timestamp. */
export function answerBuilder(identity: AnswerIdentity, now: () => number = Date.now): AnswerBuilder {
  const blocks: AssistantBlock[] = [];
  // A call that has begun but not ended takes its number; it joins `blocks` when it is whole.
  const last = () => blocks.length - 1;
  const append = (kind: "text" | "thinking", delta: string, newBlock = false): readonly ModelEvent[] => {
    if (delta === "") return [];
    const block = newBlock ? undefined : blocks[last()];
    if (block?.type === "text" && kind === "text") {
      blocks[last()] = { type: "text", text: block.text + delta };
    } else if (block?.type === "thinking" && kind === "thinking") {
      blocks[last()] = { type: "thinking", thinking: block.thinking + delta };
    } else {
      blocks.push(kind === "text" ? { type: "text", text: delta } : { type: "thinking", thinking: delta });
    }
    const contentIndex = last();
    return [
      kind === "text"
        ? { type: "text_delta", contentIndex, delta }
        : { type: "thinking_delta", contentIndex, delta },
    ];
  };
  const toolCallStart = (id: string, name: string): readonly ModelEvent[] => [
    { type: "toolcall_start", contentIndex: blocks.length, id, name },
  ];
  const toolCallDelta = (delta: string): readonly ModelEvent[] =>
    delta === "" ? [] : [{ type: "toolcall_delta", contentIndex: blocks.length, delta }];
  const toolCallEnd = (toolCall: ToolCallBlock): readonly ModelEvent[] => {
    blocks.push(toolCall);
    return [{ type: "toolcall_end", contentIndex: last(), toolCall }];
  };
  const message = (stopReason: StopReason, usage: Usage, errorMessage?: string): AssistantMessage => ({
    role: "assistant",
    content: [...blocks],
    ...identity,
    usage,
    stopReason,
    ...(errorMessage === undefined ? {} : { errorMessage }),
    timestamp: now(),
  });
  return {
    text: (delta, newBlock) => append("text", delta, newBlock),
    thinking: (delta) => append("thinking", delta),
    toolCall: (call) => [
      ...toolCallStart(call.id, call.name),
      ...toolCallDelta(JSON.stringify(call.arguments)),
      ...toolCallEnd(call),
    ],
    toolCallStart,
    toolCallDelta,
    toolCallEnd,
    hasToolCalls: () => blocks.some((block) => block.type === "toolCall"),
    textWasThinking: (until = last()) => {
      blocks.forEach((block, index) => {
        if (block.type === "text" && index <= until)
          blocks[index] = { type: "thinking", thinking: block.text };
      });
    },
    done: ({ stopReason, usage, notices }) => ({
      type: "done",
      message: message(stopReason, usage),
      ...(notices === undefined || notices.length === 0 ? {} : { notices }),
    }),
    error: ({ failure, aborted, usage }) => ({
      type: "error",
      message: message(aborted ? "aborted" : "error", usage, failure.message),
      failure,
    }),
  };
}
