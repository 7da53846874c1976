// Running the tool calls of one message. Whatever happens (an unknown tool, a denial, a signal, a limit), every call
// gets exactly one result, in the order of the calls.

import type { ToolCallBlock, ToolResultMessage } from "../model/messages.ts";
import { type DeniedAccess, type ToolResult, type ToolSet, textResult } from "../tools/tool.ts";
import type { AgentEvent } from "./events.ts";
import type { RepetitionDetector } from "./repetition.ts";
import { answerCall, findTool } from "./tool-answer.ts";
import { createUpdateQueue, type UpdateQueue } from "./update-queue.ts";

export interface CallContext {
  readonly tools: ToolSet;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly repetition: RepetitionDetector;
  readonly failOnDenied: boolean;
}

/** Why no further call of the message was run. */
export type CallsStop =
  | { readonly kind: "aborted" }
  | ({ readonly kind: "denied"; readonly tool: string } & DeniedAccess)
  | { readonly kind: "repetition"; readonly tool: string };

export interface RanCalls {
  readonly results: readonly ToolResultMessage[];
  readonly stop: CallsStop | undefined;
}

const ABORTED: CallsStop = { kind: "aborted" };

/** Runs the calls in order, neighbours that only read side by side; yields each result as a message. */
export async function* runToolCalls(
  calls: readonly ToolCallBlock[],
  context: CallContext,
): AsyncGenerator<AgentEvent, RanCalls> {
  const results: ToolResultMessage[] = [];
  let stop: CallsStop | undefined;
  for (const group of groupCalls(calls, context.tools)) {
    if (stop === undefined && context.signal.aborted) stop = ABORTED;
    if (stop !== undefined) {
      const why = reasonOf(stop);
      const skipped = group.map((call) => notRun(call, why, context.now()));
      for (const result of skipped) yield* resultMessage(result);
      results.push(...skipped);
      continue;
    }
    const outcomes = yield* runGroup(group, context);
    for (const outcome of outcomes) {
      results.push(outcome.message);
      stop ??= outcome.stop;
    }
  }
  return { results, stop: context.signal.aborted ? ABORTED : stop };
}

/** The result of a call that was not run. */
export function notRun(call: ToolCallBlock, why: string, timestamp: number): ToolResultMessage {
  return asMessage(call, textResult(`not run, ${why}`, true), timestamp);
}

/** A result as the messages that the recorder and the next request see. */
export function* resultMessage(message: ToolResultMessage): Generator<AgentEvent, void> {
  yield { type: "message_start", role: "toolResult" };
  yield { type: "message_end", message };
}

function reasonOf({ kind }: CallsStop): string {
  switch (kind) {
    case "aborted":
      return "the run was ended";
    case "denied":
      return "the call before it was denied";
    case "repetition":
      return "the run was ended: the same call gave the same result again and again";
  }
}

function groupCalls(calls: readonly ToolCallBlock[], tools: ToolSet): readonly (readonly ToolCallBlock[])[] {
  const groups: ToolCallBlock[][] = [];
  let joins = false;
  for (const call of calls) {
    const readOnly = findTool(tools, call.name)?.readOnly === true;
    const last = groups.at(-1);
    if (joins && readOnly && last !== undefined) last.push(call);
    else groups.push([call]);
    joins = readOnly;
  }
  return groups;
}

interface Outcome {
  readonly message: ToolResultMessage;
  readonly stop: CallsStop | undefined;
}

async function* runGroup(
  group: readonly ToolCallBlock[],
  context: CallContext,
): AsyncGenerator<AgentEvent, readonly Outcome[]> {
  const queue = createUpdateQueue();
  for (const call of group) {
    yield {
      type: "tool_execution_start",
      toolCallId: call.id,
      toolName: call.name,
      arguments: call.arguments,
    };
  }
  const left = new AbortController();
  const running = { ...context, signal: AbortSignal.any([context.signal, left.signal]) };
  const all = Promise.all(group.map((call) => runCall(call, { context: running, queue })));
  const drained = all.finally(() => queue.close());
  try {
    for await (const update of queue) yield { type: "tool_execution_update", ...update };
    const outcomes: Outcome[] = [];
    for (const finished of await drained) outcomes.push(yield* report(finished, context));
    return outcomes;
  } finally {
    left.abort();
    await drained;
  }
}

interface FinishedCall {
  readonly call: ToolCallBlock;
  readonly result: ToolResult;
  readonly durationMs: number;
}

async function runCall(
  call: ToolCallBlock,
  { context, queue }: { readonly context: CallContext; readonly queue: UpdateQueue },
): Promise<FinishedCall> {
  const started = performance.now();
  const update = (delta: string) => queue.push({ toolCallId: call.id, delta });
  const result = await answerCall(call, { tools: context.tools, signal: context.signal, update });
  return { call, result, durationMs: Math.round(performance.now() - started) };
}

function* report(finished: FinishedCall, context: CallContext): Generator<AgentEvent, Outcome> {
  const { call, result, durationMs } = finished;
  const message = asMessage(call, result, context.now());
  const about = { toolCallId: call.id, toolName: call.name };
  yield { type: "tool_execution_end", ...about, isError: result.isError, durationMs };
  if (result.denied !== undefined)
    yield { type: "permission_denied", toolCallId: call.id, tool: call.name, ...result.denied };
  yield* resultMessage(message);
  return { message, stop: stopOf(finished, message, context) };
}

function stopOf(
  { call, result }: FinishedCall,
  message: ToolResultMessage,
  { tools, repetition, failOnDenied }: CallContext,
): CallsStop | undefined {
  const tool = call.name;
  const repeated = repetition.repeated(call, message, findTool(tools, tool)?.readOnly ?? true);
  if (result.denied !== undefined && failOnDenied) return { kind: "denied", tool, ...result.denied };
  return repeated ? { kind: "repetition", tool } : undefined;
}

function asMessage(call: ToolCallBlock, result: ToolResult, timestamp: number): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: result.content,
    isError: result.isError,
    ...(result.details === undefined ? {} : { details: result.details }),
    timestamp,
  };
}
