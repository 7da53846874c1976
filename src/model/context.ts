// From the messages of a session to those that a model server takes. Whatever the session looks like (killed runs,
// foreign formats, compactions), the outcome is a request that no server refuses: every tool call is followed at once
// by exactly one result, and no result stands alone.

import {
  type AssistantMessage,
  type BashExecutionMessage,
  type Message,
  type ModelMessage,
  type ToolCallBlock,
  type ToolResultMessage,
  toolCallsOf,
  type UserMessage,
} from "./messages.ts";

/**
 * The messages as a model takes them. Custom messages, shell commands of the user and summaries become user messages;
 * an assistant message that failed, or that has neither text nor calls, is left out; a call without a result gets one
 * that says so; results without a call, and second results, are left out.
 */
export function toModelMessages(messages: readonly Message[]): readonly ModelMessage[] {
  return pairResults(messages.flatMap(asModelMessage));
}

function asModelMessage(message: Message): readonly ModelMessage[] {
  switch (message.role) {
    case "user":
    case "toolResult":
      return [message];
    case "assistant":
      return usableAnswer(message);
    case "custom":
      return [userMessage(message.content, message.timestamp)];
    case "bashExecution":
      return message.excludeFromContext ? [] : [userMessage(renderExecution(message), message.timestamp)];
    case "branchSummary":
      return message.summary.trim() === ""
        ? []
        : [userMessage(`Summary of work on another branch:\n\n${message.summary}`, message.timestamp)];
    case "compactionSummary":
      return [userMessage(`Summary of the conversation so far:\n\n${message.summary}`, message.timestamp)];
  }
}

function userMessage(content: UserMessage["content"], timestamp: number): UserMessage {
  return { role: "user", content, timestamp };
}

/** What a failed request left behind is void; thinking alone is no answer. */
function usableAnswer(message: AssistantMessage): readonly AssistantMessage[] {
  if (message.stopReason === "error") return [];
  const content = message.content.filter((block) => block.type !== "text" || block.text !== "");
  if (!content.some((block) => block.type !== "thinking")) return [];
  return [content.length === message.content.length ? message : { ...message, content }];
}

function renderExecution(message: BashExecutionMessage): string {
  const status = message.cancelled
    ? "It was cancelled."
    : message.exitCode === undefined
      ? ""
      : `Exit status: ${message.exitCode}.`;
  return [
    `The user ran this command: ${message.command}`,
    ...(message.output === "" ? ["It printed nothing."] : ["Its output:", message.output]),
    ...(status === "" ? [] : [status]),
  ].join("\n");
}

/** Puts each call's result right behind the message that made the call. */
function pairResults(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const unclaimed = resultsById(messages);
  const callers = callersById(messages);
  return messages.flatMap((message, index): readonly ModelMessage[] => {
    if (message.role === "toolResult") return [];
    if (message.role === "user") return [message];
    const results = toolCallsOf(message).map((call) => {
      const before = callers.get(call.id)?.find((caller) => caller > index) ?? messages.length;
      return claim(unclaimed, call, { after: index, before }) ?? missingResult(call, message.timestamp);
    });
    return withOwnIds(message, results, index);
  });
}

/** The indices of the messages that call with an id, in order. */
function callersById(messages: readonly ModelMessage[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  messages.forEach((message, index) => {
    for (const { id } of message.role === "assistant" ? toolCallsOf(message) : []) {
      const same = found.get(id);
      if (same === undefined) found.set(id, [index]);
      else same.push(index);
    }
  });
  return found;
}

/** Calls of one message that share an id, or have none, get ids of their own, the same at every reading. */
function withOwnIds(
  message: AssistantMessage,
  results: readonly ToolResultMessage[],
  index: number,
): readonly ModelMessage[] {
  const taken = new Set<string>();
  const ids = toolCallsOf(message).map(({ id }, at) => {
    const own = id === "" || taken.has(id) ? `${id === "" ? "call" : id}_${index}_${at}` : id;
    taken.add(own);
    return own;
  });
  if (toolCallsOf(message).every((call, at) => call.id === ids[at])) return [message, ...results];
  let at = 0;
  const content = message.content.map((block) =>
    block.type === "toolCall" ? { ...block, id: ids[at++] ?? block.id } : block,
  );
  const answered = results.map((result, place) => ({
    ...result,
    toolCallId: ids[place] ?? result.toolCallId,
  }));
  return [{ ...message, content }, ...answered];
}

interface PlacedResult {
  readonly index: number;
  readonly message: ToolResultMessage;
}

function resultsById(messages: readonly ModelMessage[]): Map<string, PlacedResult[]> {
  const found = new Map<string, PlacedResult[]>();
  messages.forEach((message, index) => {
    if (message.role !== "toolResult") return;
    const same = found.get(message.toolCallId);
    if (same === undefined) found.set(message.toolCallId, [{ index, message }]);
    else same.push({ index, message });
  });
  return found;
}

/**
 * The first result with the call's id that stands after it, and before the next message that calls with that id (ids may
 * repeat), and that no other call of its message took.
 */
function claim(
  unclaimed: Map<string, PlacedResult[]>,
  call: ToolCallBlock,
  { after, before }: { readonly after: number; readonly before: number },
): ToolResultMessage | undefined {
  const candidates = unclaimed.get(call.id) ?? [];
  const at = candidates.findIndex(({ index }) => index > after && index < before);
  return at < 0 ? undefined : candidates.splice(at, 1)[0]?.message;
}

/** Results for the calls of the last assistant message that have none: what a killed run left open. */
export function missingResults(
  messages: readonly Message[],
  timestamp: number,
): readonly ToolResultMessage[] {
  const at = messages.findLastIndex((message) => message.role === "assistant");
  const last = messages[at];
  if (last?.role !== "assistant" || last.stopReason === "error") return [];
  const answered = new Set(
    messages.slice(at).flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : [])),
  );
  return toolCallsOf(last)
    .filter((call) => !answered.has(call.id))
    .map((call) => missingResult(call, timestamp));
}

/** The result of a call of which the session has none, because its run ended before it. */
function missingResult(call: ToolCallBlock, timestamp: number): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: "No result: the run ended before this call did." }],
    isError: true,
    timestamp,
  };
}
