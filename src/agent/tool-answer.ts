// One tool call and its result, whatever the call asks for and however the tool behaves.

import { messageOf } from "../base/errors.ts";
import type { ToolCallBlock } from "../model/messages.ts";
import { renderDenial } from "../tools/permissions/permissions.ts";
import { type Tool, type ToolResult, type ToolSet, textResult } from "../tools/tool.ts";

/**
 * How long a tool may take to end after the run was told to. Its process group is gone long before. Less than the 10 s
 * that a signal leaves the process (src/main.ts), so that the call's result is recorded.
 */
const GRACE_MS = 5_000;

export interface AnswerContext {
  readonly tools: ToolSet;
  readonly signal: AbortSignal;
  readonly update: (delta: string) => void;
}

/** The tool that is offered under this name. */
export function findTool(tools: ToolSet, name: string): Tool | undefined {
  return tools.offered.find((tool) => tool.spec.name === name);
}

/** Whether a tool of this name exists, be it offered or not. */
export function isKnownTool(tools: ToolSet, name: string): boolean {
  return findTool(tools, name) !== undefined || tools.withheld.some((tool) => tool.name === name);
}

/** Runs one call. Never rejects: an unknown tool, one that throws and one that does not end are results too. */
export async function answerCall(
  call: ToolCallBlock,
  { tools, signal, update }: AnswerContext,
): Promise<ToolResult> {
  const tool = findTool(tools, call.name);
  if (tool === undefined) return withoutTool(call, tools);
  const request = { toolCallId: call.id, arguments: call.arguments, update };
  const ended = graceAfter(signal);
  try {
    return await Promise.race([tool.run(request, signal), ended.result]);
  } catch (error) {
    if (signal.aborted) return textResult("The run was ended before this call did.", true);
    return textResult(`The tool ${call.name} failed: ${messageOf(error)}`, true);
  } finally {
    ended.cancel();
  }
}

/** A call to a tool that was not offered: for want of a grant, or because there is none of that name. */
function withoutTool(call: ToolCallBlock, tools: ToolSet): ToolResult {
  const withheld = tools.withheld.find((tool) => tool.name === call.name);
  if (withheld !== undefined) {
    const { permission, reason, hint } = withheld;
    const denied = { permission, target: targetOf(call), reason, ...(hint === undefined ? {} : { hint }) };
    return { ...textResult(renderDenial(denied), true), denied };
  }
  const names = tools.offered.map((tool) => tool.spec.name);
  const have = names.length === 0 ? "There are no tools." : `The tools are: ${names.join(", ")}.`;
  const what = call.name.trim() === "" ? "The call names no tool." : `There is no tool "${call.name}".`;
  return textResult(`${what} ${have}`, true);
}

/** What a call is about: its path or its command, else the tool itself. */
function targetOf({ name, arguments: given }: ToolCallBlock): string {
  const { path, command } = given;
  const target = typeof path === "string" ? path : command;
  return typeof target === "string" && target.trim() !== "" ? target : name;
}

/** A result for a tool that does not end by itself within the grace time after the signal. */
function graceAfter(signal: AbortSignal): { readonly result: Promise<ToolResult>; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let start = () => {};
  const result = new Promise<ToolResult>((resolve) => {
    const late = textResult("The run was ended, and this call did not end in time.", true);
    start = () => {
      timer = setTimeout(() => resolve(late), GRACE_MS);
    };
    if (signal.aborted) start();
    else signal.addEventListener("abort", start, { once: true });
  });
  return {
    result,
    cancel() {
      signal.removeEventListener("abort", start);
      clearTimeout(timer);
    },
  };
}
