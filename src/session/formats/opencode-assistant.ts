// OpenCode's assistant messages: parts in order. A message may hold several steps; each step is one request, and one
// message of ours.

import { type JsonObject, objectAt, stringAt } from "../../base/json.ts";
import type { AssistantBlock, StopReason } from "../../model/messages.ts";
import { argumentsOf, textBlock } from "./blocks.ts";
import { tokensOf, toolOutcome } from "./opencode-parts.ts";
import type { ConversionOutput, Place } from "./output.ts";
import type { Turn, TurnPart } from "./turn.ts";

export interface AssistantParts {
  readonly info: JsonObject;
  readonly parts: readonly JsonObject[];
  readonly place: Place;
}

interface Step {
  readonly output: ConversionOutput;
  readonly turn: Turn;
  readonly part: Omit<TurnPart, "key" | "blocks">;
  readonly messageId: string;
  number: number;
  hasUsage: boolean;
}

/** One message of OpenCode, which holds all requests of a turn: each of its steps becomes a message of ours. */
export function pushAssistantParts(output: ConversionOutput, turn: Turn, message: AssistantParts): void {
  const { info, parts, place } = message;
  turn.end();
  if (info["summary"] === true) {
    pushSummary(output, parts, place);
    return;
  }
  const provider = stringAt(info, "providerID") ?? "unknown";
  const model = stringAt(info, "modelID") ?? "unknown";
  if (model !== "unknown") output.model(provider, model, place);
  const part = { place, api: "opencode", provider, model };
  const messageId = stringAt(info, "id") ?? "";
  const step: Step = { output, turn, part, messageId, number: 0, hasUsage: false };
  for (const each of parts) pushPart(step, each);
  const failure = failureOf(info);
  if (failure !== undefined || turn.state === "none") add(step, [], failure);
  const tokens = tokensOf(info);
  if (!step.hasUsage && tokens !== undefined) turn.usage(tokens);
  turn.end();
}

/** The text of a compaction; the messages before it are not sent any more. */
function pushSummary(output: ConversionOutput, parts: readonly JsonObject[], place: Place): void {
  const texts = parts.flatMap((part) => {
    const type = stringAt(part, "type") ?? "part";
    if (type === "text") return stringAt(part, "text") ?? [];
    output.count(`summary: ${type}`, type.startsWith("step-") ? "bookkeeping" : "no place");
    return [];
  });
  output.compaction({ summary: texts.join("\n"), tokensBefore: 0 }, place);
}

function pushPart(step: Step, part: JsonObject): void {
  const type = stringAt(part, "type") ?? "part";
  const text = stringAt(part, "text") ?? "";
  switch (type) {
    case "text":
      if (text !== "") add(step, [textBlock(text)]);
      break;
    case "reasoning":
      if (text !== "") add(step, [{ type: "thinking", thinking: text }]);
      break;
    case "tool":
      pushTool(step, part);
      break;
    case "step-start":
      step.turn.end();
      step.number += 1;
      break;
    case "step-finish": {
      const usage = tokensOf(part);
      if (usage !== undefined && step.turn.usage(usage)) step.hasUsage = true;
      break;
    }
    default:
      step.turn.custom(`opencode:${type}`, part, step.part.place);
  }
}

function pushTool(step: Step, part: JsonObject): void {
  const callId = stringAt(part, "callID") ?? stringAt(part, "id") ?? "";
  const name = stringAt(part, "tool") ?? "unknown";
  const state = objectAt(part, "state") ?? {};
  add(step, [{ type: "toolCall", id: callId, name, arguments: argumentsOf(state["input"]) }]);
  const outcome = toolOutcome(state);
  if (outcome !== undefined) step.turn.result({ callId, ...outcome, place: step.part.place });
}

interface Failure {
  readonly stopReason: StopReason;
  readonly errorMessage: string;
}

function failureOf(info: JsonObject): Failure | undefined {
  const error = objectAt(info, "error");
  if (error === undefined) return undefined;
  const name = stringAt(error, "name") ?? "error";
  const errorMessage = stringAt(objectAt(error, "data") ?? {}, "message") ?? name;
  return { stopReason: name === "MessageAbortedError" ? "aborted" : "error", errorMessage };
}

function add(step: Step, blocks: readonly AssistantBlock[], failure?: Failure): void {
  step.turn.add({ ...step.part, ...failure, key: `${step.messageId}:${step.number}`, blocks });
}
