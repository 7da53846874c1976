// A model on a fake server, as tests of the model layer want it.

import type { AssistantBlock } from "../model/messages.ts";
import type { ModelEvent, ModelRequest } from "../model/model.ts";
import { parseHost } from "../model/ollama/host.ts";
import { type OllamaModelOptions, ollamaModel } from "../model/ollama/model.ts";
import { collectEvents, userRequest } from "./collect.ts";
import type { FakeAnswer } from "./fake-answers.ts";
import { type FakeOllama, type FakeOllamaOptions, fakeOllama } from "./fake-ollama.ts";

/** The model `fake` of a server. */
export function fakeModel(server: Pick<FakeOllama, "url">, more: Partial<OllamaModelOptions> = {}) {
  return ollamaModel({
    host: parseHost(server.url),
    apiKey: undefined,
    model: "fake",
    numCtx: undefined,
    keepAlive: undefined,
    ...more,
  });
}

export interface Asking {
  readonly request?: Partial<ModelRequest>;
  readonly server?: FakeOllamaOptions;
  readonly model?: Partial<OllamaModelOptions>;
}

/** Asks once and gives all events of the answer. */
export async function eventsOf(answer: FakeAnswer, asking: Asking = {}): Promise<readonly ModelEvent[]> {
  await using server = await fakeOllama({ answers: [answer], ...asking.server });
  return await collectEvents(fakeModel(server, asking.model), userRequest("hi", asking.request));
}

/** Events as short words: `text 0 Hel`, `thinking 0 hm`, `call 1 read {"path":"a"}`, `done stop`, `error unavailable`. */
export function summarize(events: readonly ModelEvent[]): readonly string[] {
  return events.flatMap(summarizeEvent);
}

function summarizeEvent(event: ModelEvent): readonly string[] {
  switch (event.type) {
    case "start":
    case "toolcall_start":
    case "toolcall_delta":
      return [];
    case "text_delta":
      return [`text ${event.contentIndex} ${event.delta}`];
    case "thinking_delta":
      return [`thinking ${event.contentIndex} ${event.delta}`];
    case "toolcall_end":
      return [
        `call ${event.contentIndex} ${event.toolCall.name} ${JSON.stringify(event.toolCall.arguments)}`,
      ];
    case "done":
      return [`done ${event.message.stopReason}`];
    case "error":
      return [`error ${event.failure.reason ?? event.failure.kind}`];
  }
}

/** The blocks of the final message, as short words. */
export function contentOf(events: readonly ModelEvent[]): readonly string[] {
  const end = events.at(-1);
  if (end?.type !== "done" && end?.type !== "error") return ["no end"];
  return end.message.content.map(summarizeBlock);
}

function summarizeBlock(block: AssistantBlock): string {
  switch (block.type) {
    case "text":
      return `text ${block.text}`;
    case "thinking":
      return `thinking ${block.thinking}`;
    case "toolCall":
      return `call ${block.name} ${JSON.stringify(block.arguments)}`;
  }
}
