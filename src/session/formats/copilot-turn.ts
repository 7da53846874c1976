// Copilot CLI's answers: a message with its tool requests, then one event when a tool starts and one when it ends.

import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from "../../base/json.ts";
import { type AssistantBlock, type ContentBlock, NO_USAGE } from "../../model/messages.ts";
import { codeInText } from "../exit-status.ts";
import { argumentsOf, countAt, textBlock } from "./blocks.ts";
import type { CopilotState } from "./copilot-state.ts";
import type { Place } from "./output.ts";

const API = "github-copilot";

/** Messages with the same `messageId` are one. */
export function pushAssistant(state: CopilotState, data: JsonObject, place: Place): void {
  const model = stringAt(data, "model");
  if (model !== undefined) {
    if (model !== state.model) state.turn.end();
    state.model = model;
    state.output.model(API, model, place);
  }
  const requests = (arrayAt(data, "toolRequests") ?? []).filter(isObject).map(toolCall);
  for (const call of requests) if (call.type === "toolCall") state.told.add(call.id);
  const thinking = stringAt(data, "reasoningText") ?? "";
  const text = stringAt(data, "content") ?? "";
  const blocks: readonly AssistantBlock[] = [
    ...(thinking === "" ? [] : [{ type: "thinking" as const, thinking }]),
    ...(text === "" ? [] : [textBlock(text)]),
    ...requests,
  ];
  const output = countAt(data, "outputTokens");
  add(state, { key: stringAt(data, "messageId") ?? place.source.text, place, blocks, output });
}

interface Added {
  readonly key: string;
  readonly place: Place;
  readonly blocks: readonly AssistantBlock[];
  readonly output?: number;
}

function add(state: CopilotState, { key, place, blocks, output = 0 }: Added): void {
  const usage = output === 0 ? undefined : { ...NO_USAGE, output, totalTokens: output };
  state.turn.add({ key, place, blocks, api: API, provider: "github-copilot", model: state.model, usage });
}

function toolCall(request: JsonObject): AssistantBlock {
  return {
    type: "toolCall",
    id: stringAt(request, "toolCallId") ?? "",
    name: stringAt(request, "name") ?? stringAt(request, "toolName") ?? "unknown",
    arguments: argumentsOf(request["arguments"]),
  };
}

/** Repeats the request; where no message told it, it is the call. */
export function pushToolStart(state: CopilotState, data: JsonObject, place: Place): void {
  const id = stringAt(data, "toolCallId") ?? "";
  if (state.told.has(id)) {
    state.output.count("tool.execution_start", "repeats");
    return;
  }
  state.told.add(id);
  add(state, { key: `call:${id}`, place, blocks: [toolCall(data)] });
}

/** The result of a call: failed if `success` is false, or if its text tells an exit code other than 0. */
export function pushToolEnd(state: CopilotState, data: JsonObject, place: Place): void {
  const callId = stringAt(data, "toolCallId") ?? "";
  const result = objectAt(data, "result") ?? {};
  const failure = stringAt(objectAt(data, "error") ?? {}, "message");
  const text = stringAt(result, "content") ?? failure ?? "";
  const code = codeInText(text);
  state.told.delete(callId);
  state.turn.result({
    callId,
    content: [...(text === "" ? [] : [textBlock(text)]), ...imagesOf(result)],
    isError: data["success"] === false || (code !== undefined && code !== 0),
    details: code === undefined ? undefined : { exitCode: code },
    place,
  });
}

function imagesOf(result: JsonObject): readonly ContentBlock[] {
  return (arrayAt(result, "contents") ?? []).filter(isObject).flatMap((content) => {
    const data = stringAt(content, "data");
    if (stringAt(content, "type") !== "image" || data === undefined) return [];
    return [{ type: "image" as const, data, mimeType: stringAt(content, "mimeType") ?? "image/png" }];
  });
}
