// A model for tests of the loop: each request plays the next of its scripts, and the requests are kept.

import type { AssistantBlock, AssistantMessage, StopReason } from "../model/messages.ts";
import { NO_USAGE } from "../model/messages.ts";
import type { Model, ModelEvent, ModelFailure, ModelRequest } from "../model/model.ts";

/** One step of a request: an event, or a wait that only the signal ends. */
export type Step = ModelEvent | "hang";

export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[];
  /** What happened, in order: `open`, `closed` (by the signal or by leaving early), `end`. */
  readonly log: readonly string[];
}

/** Plays `scripts`, one a request; a request more than there are scripts is a bug of the test. */
export function scriptedModel(scripts: readonly (readonly Step[])[]): ScriptedModel {
  const requests: ModelRequest[] = [];
  const log: string[] = [];
  return {
    provider: "scripted",
    id: "test",
    requests,
    log,
    info: async () => ({ contextWindow: undefined, tools: true, vision: false, thinking: true }),
    async *stream(request, signal) {
      const script = scripts[requests.length];
      requests.push(request);
      if (script === undefined) throw new Error("the test has no script for this request");
      log.push("open");
      signal.addEventListener("abort", () => log.push("closed"), { once: true });
      for (const step of script) {
        if (step === "hang") await aborted(signal);
        if (signal.aborted) {
          yield { type: "error", message: answer([], "aborted"), failure: failure({ message: "aborted" }) };
          return;
        }
        if (step !== "hang") yield step;
      }
      log.push("end");
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** A message of the scripted model. */
export function answer(
  content: readonly AssistantBlock[],
  stopReason: StopReason = "stop",
): AssistantMessage {
  const about = { api: "scripted", provider: "scripted", model: "test" };
  return { role: "assistant", content, ...about, usage: NO_USAGE, stopReason, timestamp: 0 };
}

export function failure(fields: Partial<ModelFailure> = {}): ModelFailure {
  return { kind: "unavailable", message: "the server is busy", retryable: true, ...fields };
}

/** A whole answer of text, in the given pieces. */
export function says(...pieces: readonly string[]): readonly ModelEvent[] {
  return [
    { type: "start" },
    ...pieces.map((delta) => ({ type: "text_delta" as const, contentIndex: 0, delta })),
    { type: "done", message: answer([{ type: "text", text: pieces.join("") }]) },
  ];
}

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: { readonly [key: string]: unknown };
}

/** A whole answer that calls tools. */
export function calls(...wanted: readonly ScriptedCall[]): readonly ModelEvent[] {
  const blocks = wanted.map((call) => ({ type: "toolCall" as const, ...call }));
  return [
    { type: "start" },
    ...blocks.flatMap((toolCall, contentIndex): readonly ModelEvent[] => [
      { type: "toolcall_start", contentIndex, id: toolCall.id, name: toolCall.name },
      { type: "toolcall_delta", contentIndex, delta: JSON.stringify(toolCall.arguments) },
      { type: "toolcall_end", contentIndex, toolCall },
    ]),
    { type: "done", message: answer(blocks, "toolUse") },
  ];
}

/** An attempt that fails after the given text. */
export function fails(text: string, fields: Partial<ModelFailure> = {}): readonly ModelEvent[] {
  const content = text === "" ? [] : [{ type: "text" as const, text }];
  return [
    ...(text === "" ? [] : [{ type: "text_delta" as const, contentIndex: 0, delta: text }]),
    { type: "error", message: answer(content, "error"), failure: failure(fields) },
  ];
}
