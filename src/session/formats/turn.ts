// An assistant message while its parts still come, with the results that come between them. Calls and results pair: the
// message goes out first, whole, then its results in their order.

import {
  type AssistantBlock,
  type ContentBlock,
  NO_USAGE,
  type StopReason,
  type Usage,
} from "../../model/messages.ts";
import type { ConversionOutput, MessageDraft, Place } from "./output.ts";

/** What one source object adds to an assistant message. Parts with the same `key` belong to one message. */
export interface TurnPart {
  readonly key: string;
  readonly place: Place;
  readonly blocks: readonly AssistantBlock[];
  readonly api: string;
  readonly provider: string;
  readonly model: string;
  /** Of the whole message so far: it replaces, it is not added. */
  readonly usage?: Usage | undefined;
  readonly stopReason?: StopReason | undefined;
  readonly errorMessage?: string | undefined;
}

export interface TurnResult {
  readonly callId: string;
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
  readonly details?: unknown;
  readonly place: Place;
}

export interface Turn {
  /** Adds to the open message, or places it and opens a new one where the key differs. */
  add(part: TurnPart): void;
  result(result: TurnResult): void;
  /** Runs once the open message and its results are placed; at once where none is open. */
  after(then: () => void): void;
  /** A `custom` entry, placed as `after` says. */
  custom(customType: string, data: unknown, place: Place): void;
  /** Tokens of the open message; false if there is none, or if it has some already. */
  usage(usage: Usage): boolean;
  /** Places what is open. `stopReason` is taken where the parts told none. */
  end(stopReason?: StopReason): void;
  /** Whether a message is open, and whether results have come for it. */
  readonly state: "none" | "open" | "answered";
  /** How many calls of the open message have no result yet. */
  readonly unanswered: number;
}

interface OpenMessage {
  readonly first: TurnPart;
  readonly blocks: AssistantBlock[];
  readonly results: { readonly message: MessageDraft; readonly place: Place }[];
  readonly after: (() => void)[];
  /** Ids of its calls without a result. */
  readonly waiting: Set<string>;
  usage: Usage | undefined;
  stopReason: StopReason | undefined;
  errorMessage: string | undefined;
}

/** The turns of one conversion. `placed` hears of every entry, with the place that it came from. */
export function createTurn(output: ConversionOutput, placed?: (id: string, place: Place) => void): Turn {
  let open: OpenMessage | undefined;
  let last: { readonly key: string; readonly usage: Usage } | undefined;
  const place = (message: MessageDraft, at: Place) => {
    const id = output.message(message, at);
    placed?.(id, at);
  };
  const end = (stopReason?: StopReason) => {
    const message = open;
    open = undefined;
    if (message === undefined) return;
    const { key } = message.first;
    const told = message.usage ?? NO_USAGE;
    place(
      assistantDraft(message, stopReason, last?.key === key ? beyond(told, last.usage) : told),
      message.first.place,
    );
    last = { key, usage: told };
    for (const result of message.results) place(result.message, result.place);
    for (const then of message.after) then();
  };
  const after = (then: () => void) => {
    output.held();
    if (open === undefined) then();
    else open.after.push(then);
  };
  return {
    get state() {
      if (open === undefined) return "none";
      return open.results.length > 0 ? "answered" : "open";
    },
    get unanswered() {
      return open?.waiting.size ?? 0;
    },
    add(part) {
      output.held();
      if (open !== undefined && open.first.key !== part.key) end();
      const { usage, stopReason, errorMessage } = part;
      open ??= {
        first: part,
        blocks: [],
        results: [],
        after: [],
        waiting: new Set(),
        usage,
        stopReason,
        errorMessage,
      };
      open.blocks.push(...part.blocks);
      open.usage = usage ?? open.usage;
      open.stopReason = stopReason ?? open.stopReason;
      open.errorMessage = errorMessage ?? open.errorMessage;
      for (const block of part.blocks) {
        if (block.type !== "toolCall") continue;
        output.openCall(block.id, block.name);
        open.waiting.add(block.id);
      }
    },
    result(result) {
      output.held();
      const message = resultDraft(result, output.closeCall(result.callId));
      open?.waiting.delete(result.callId);
      if (open === undefined) place(message, result.place);
      else open.results.push({ message, place: result.place });
    },
    after,
    custom(customType, data, at) {
      // A tool that runs for long may tell of its progress in a hundred thousand lines.
      const then = output.deferCustom(customType, data, at);
      if (then !== undefined) after(then);
    },
    usage(usage) {
      if (open === undefined || open.usage !== undefined) return false;
      open.usage = usage;
      return true;
    },
    end,
  };
}

/** What a message that was split tells anew: its usage stands on each of its parts, as a whole. */
function beyond(usage: Usage, counted: Usage): Usage {
  const more = (key: "input" | "output" | "cacheRead" | "cacheWrite" | "totalTokens") =>
    Math.max(0, usage[key] - counted[key]);
  return {
    input: more("input"),
    output: more("output"),
    cacheRead: more("cacheRead"),
    cacheWrite: more("cacheWrite"),
    totalTokens: more("totalTokens"),
  };
}

function assistantDraft(open: OpenMessage, stopReason: StopReason | undefined, usage: Usage): MessageDraft {
  const { api, provider, model } = open.first;
  const calls = open.blocks.some((block) => block.type === "toolCall");
  // What came to its results was not cut off: only what should have followed was.
  const answered = calls && open.waiting.size === 0;
  const given = stopReason === "aborted" && answered ? undefined : stopReason;
  return {
    role: "assistant",
    content: open.blocks,
    api,
    provider,
    model,
    usage,
    stopReason: open.stopReason ?? given ?? (calls ? "toolUse" : "stop"),
    ...(open.errorMessage === undefined ? {} : { errorMessage: open.errorMessage }),
  };
}

function resultDraft(result: TurnResult, toolName: string | undefined): MessageDraft {
  const { callId, content, isError, details } = result;
  return {
    role: "toolResult",
    toolCallId: callId,
    toolName: toolName ?? "unknown",
    content,
    isError,
    ...(details === undefined ? {} : { details }),
  };
}
