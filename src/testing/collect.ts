// What tests of models share: a request, and all events of a stream.

import type { Model, ModelEvent, ModelRequest } from "../model/model.ts";

/** A request with one user message. */
export function userRequest(text: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    systemPrompt: "You are a test.",
    messages: [{ role: "user", content: text, timestamp: 0 }],
    tools: [],
    options: {},
    ...more,
  };
}

/** All events of one stream. */
export async function collectEvents(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal)) events.push(event);
  return events;
}

/** The last event, without the time that its message carries. */
export function endOf(events: readonly ModelEvent[]): ModelEvent | undefined {
  const end = events.at(-1);
  if (end?.type !== "done" && end?.type !== "error") return end;
  return { ...end, message: { ...end.message, timestamp: 0 } };
}
