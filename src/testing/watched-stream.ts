// A watch over a model's stream for tests: rules from the text that a user would write, and what fires at each event.

import { type AssistantMessage, NO_USAGE } from "../model/messages.ts";
import type { ModelEvent } from "../model/model.ts";
import { createWatch, type Watch } from "../rules/watch.ts";
import { ruleOf, ttsrRules } from "./rules.ts";

/** A whole message of these blocks. */
export function assistantMessage(content: AssistantMessage["content"]): AssistantMessage {
  const model = { api: "test", provider: "test", model: "test", usage: NO_USAGE, timestamp: 0 };
  return { role: "assistant", content, ...model, stopReason: "stop" };
}

export const START: ModelEvent = { type: "start" };
export const DONE: ModelEvent = { type: "done", message: assistantMessage([]) };

export function textDelta(delta: string, contentIndex = 0): ModelEvent {
  return { type: "text_delta", contentIndex, delta };
}

export function thinkingDelta(delta: string, contentIndex = 0): ModelEvent {
  return { type: "thinking_delta", contentIndex, delta };
}

export function watchOf(...rules: readonly [name: string, frontMatter: string][]): Watch {
  return createWatch(ttsrRules(rules.map(([name, lines]) => ruleOf(name, lines))), { cwd: "/project" });
}

/** What fired at each event, as `rule@offset stream`, with `$` where only the end decided it. */
export function fires(watch: Watch, events: readonly ModelEvent[]): readonly string[][] {
  return events.map((event) =>
    watch.push(event).map(({ rule, stream, at, atEnd }) => `${rule.name}@${at}${atEnd ? "$" : ""} ${stream}`),
  );
}
