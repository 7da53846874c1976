import { expect, test } from "bun:test";
import type { ModelEvent } from "../model/model.ts";
import { answer, scriptedModel } from "../testing/scripted-model.ts";
import { newPartial } from "./partial.ts";

const EVENTS: readonly ModelEvent[] = [
  { type: "start" },
  { type: "thinking_delta", contentIndex: 0, delta: "hm" },
  { type: "text_delta", contentIndex: 1, delta: "a" },
  { type: "text_delta", contentIndex: 1, delta: "b" },
  { type: "toolcall_start", contentIndex: 2, id: "c1", name: "t" },
  { type: "toolcall_delta", contentIndex: 2, delta: "{}" },
  {
    type: "toolcall_end",
    contentIndex: 2,
    toolCall: { type: "toolCall", id: "c1", name: "t", arguments: {} },
  },
  { type: "toolcall_start", contentIndex: 3, id: "c2", name: "t" },
  { type: "toolcall_delta", contentIndex: 3, delta: '{"a":' },
];

function partialOf(events: readonly ModelEvent[]) {
  const partial = newPartial(scriptedModel([]));
  for (const event of events) partial.add(event);
  return partial;
}

const WHOLE = [
  { type: "thinking", thinking: "hm" },
  { type: "text", text: "ab" },
  { type: "toolCall", id: "c1", name: "t", arguments: {} },
] as const;

test("newPartial() gives whole blocks only, in their order", () => {
  expect(partialOf(EVENTS).message("aborted", 0)).toEqual(answer(WHOLE, "aborted"));
});

test("newPartial() keeps the call that was being written for audit, as the text that came", () => {
  const cut = { type: "toolCall", id: "c2", name: "t", arguments: { partialJson: '{"a":' } } as const;
  expect(partialOf(EVENTS).audit(0)).toEqual(answer([...WHOLE, cut], "aborted"));
});

test("newPartial() has started once any content came", () => {
  expect(partialOf(EVENTS.slice(0, 1)).started).toBe(false);
  expect(partialOf(EVENTS.slice(0, 2)).started).toBe(true);
});
