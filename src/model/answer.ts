// Builds an assistant message out of pieces and says, for each piece, which events a stream gives for it. The one
// place that numbers content blocks, and that makes what models write well-formed: events and the final message always
// agree.

import { wellFormedObject } from "../base/well-formed.ts";
import type { AssistantBlock, AssistantMessage, StopReason, ToolCallBlock, Usage } from "./messages.ts";
import type { ModelEvent, ModelFailure } from "./model.ts";
import { wellFormedJson, wellFormedText } from "./well-formed.ts";

type ProseKind = "text" | "thinking";

export interface AnswerIdentity {
  readonly api: string;
  readonly provider: string;
  readonly model: string;
}

/**
 * Halves of surrogate pairs that no other half follows in the same block become U+FFFD. A half at the end of a piece is
 * held back for its other one, and given with whatever comes after it in the answer.
 */
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
  textWasThinking(until?: number): readonly ModelEvent[];
  done(end: {
    readonly stopReason: StopReason;
    readonly usage: Usage;
    readonly notices?: readonly string[];
  }): readonly ModelEvent[];
  error(end: {
    readonly failure: ModelFailure;
    readonly aborted: boolean;
    readonly usage: Usage;
  }): readonly ModelEvent[];
}

/** A builder for one answer. `now` gives the message's timestamp. */
export function answerBuilder(identity: AnswerIdentity, now: () => number = Date.now): AnswerBuilder {
  const blocks: AssistantBlock[] = [];
  // A call that has begun but not ended takes its number; it joins `blocks` when it is whole.
  const last = () => blocks.length - 1;
  const append = (kind: ProseKind, delta: string, newBlock: boolean): readonly ModelEvent[] => {
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
  const prose = wellFormedProse(append);
  const json = wellFormedJson();
  const callDelta = (delta: string): readonly ModelEvent[] =>
    delta === "" ? [] : [{ type: "toolcall_delta", contentIndex: blocks.length, delta }];
  const endAll = (): readonly ModelEvent[] => [...prose.end(), ...callDelta(json.end())];
  const toolCallStart = (id: string, name: string): readonly ModelEvent[] => [
    ...endAll(),
    {
      type: "toolcall_start",
      contentIndex: blocks.length,
      id: id.toWellFormed(),
      name: name.toWellFormed(),
    },
  ];
  const toolCallDelta = (delta: string): readonly ModelEvent[] => callDelta(json.push(delta));
  const toolCallEnd = (given: ToolCallBlock): readonly ModelEvent[] => {
    const rest = callDelta(json.end());
    const toolCall = wellFormedCall(given);
    blocks.push(toolCall);
    return [...rest, { type: "toolcall_end", contentIndex: last(), toolCall }];
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
    text: (delta, newBlock) => prose.push("text", delta, newBlock),
    thinking: (delta) => prose.push("thinking", delta),
    toolCall(given) {
      const call = wellFormedCall(given);
      const start = toolCallStart(call.id, call.name);
      return [...start, ...toolCallDelta(JSON.stringify(call.arguments)), ...toolCallEnd(call)];
    },
    toolCallStart,
    toolCallDelta,
    toolCallEnd,
    hasToolCalls: () => blocks.some((block) => block.type === "toolCall"),
    textWasThinking(until) {
      const ended = prose.end();
      blocks.forEach((block, index) => {
        if (block.type === "text" && index <= (until ?? last()))
          blocks[index] = { type: "thinking", thinking: block.text };
      });
      return ended;
    },
    done: ({ stopReason, usage, notices = [] }) => [
      ...endAll(),
      {
        type: "done",
        message: message(stopReason, usage),
        ...(notices.length === 0 ? {} : { notices: notices.map((notice) => notice.toWellFormed()) }),
      },
    ],
    error({ failure, aborted, usage }) {
      const ended = endAll();
      const told = wellFormedFailure(failure);
      const whole = message(aborted ? "aborted" : "error", usage, told.message);
      return [...ended, { type: "error", message: whole, failure: told }];
    },
  };
}

type Append = (kind: ProseKind, delta: string, newBlock: boolean) => readonly ModelEvent[];

interface Prose {
  push(kind: ProseKind, delta: string, newBlock?: boolean): readonly ModelEvent[];
  /** What was held back of the text or thinking, which has ended. */
  end(): readonly ModelEvent[];
}

/** Gives text and thinking to `append` as they can be given: a half at the end of a piece belongs to its block. */
function wellFormedProse(append: Append): Prose {
  const former = wellFormedText();
  let current: ProseKind = "text";
  /** A block was to begin, and nothing of it was given yet. */
  let begins = false;
  const give = (delta: string): readonly ModelEvent[] => {
    const events = append(current, delta, begins);
    if (events.length > 0) begins = false;
    return events;
  };
  const end = (): readonly ModelEvent[] => {
    const events = give(former.end());
    begins = false;
    return events;
  };
  return {
    push(kind, delta, newBlock = false) {
      if (delta === "") return [];
      const ended = newBlock || kind !== current ? end() : [];
      current = kind;
      begins ||= newBlock;
      return [...ended, ...give(former.push(delta))];
    },
    end,
  };
}

function wellFormedCall({ id, name, arguments: given, ...rest }: ToolCallBlock): ToolCallBlock {
  return {
    ...rest,
    id: id.toWellFormed(),
    name: name.toWellFormed(),
    arguments: wellFormedObject(given),
  };
}

/** Servers are quoted in failures. */
function wellFormedFailure(failure: ModelFailure): ModelFailure {
  const { message, hint } = failure;
  return {
    ...failure,
    message: message.toWellFormed(),
    ...(hint === undefined ? {} : { hint: hint.toWellFormed() }),
  };
}
