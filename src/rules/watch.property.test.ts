import { expect, test } from "bun:test";
import fc from "fast-check";
import type { AssistantBlock, AssistantMessage } from "../model/messages.ts";
import type { ModelEvent } from "../model/model.ts";
import { ruleOf, ttsrRules } from "../testing/rules.ts";
import { assistantMessage } from "../testing/watched-stream.ts";
import { messageEvents } from "./message-events.ts";
import { createWatch } from "./watch.ts";

const RULES = ttsrRules([
  ruleOf("word", "condition: '\\bab\\b'\nscope: text, thinking, tool"),
  ruleOf("end", "condition: 'b$'"),
  ruleOf("back", "condition: '(a|b)c\\1'\nscope: text, tool:bash"),
  ruleOf("typed", "condition: 'ab'\nglobs: '*.ts'"),
  ruleOf("line", "condition: '(?m)^c'\nscope: thinking, tool:write(src/**)"),
]);

const anyText = fc.string({
  unit: fc.constantFrom("a", "b", "c", " ", "\n", '"', "\\", "😀"),
  maxLength: 12,
});
const anyPath = fc.constantFrom("a.ts", "src/b.md", "src/c.ts");
const anyBlock: fc.Arbitrary<AssistantBlock> = fc.oneof(
  anyText.map((text) => ({ type: "text" as const, text })),
  anyText.map((thinking) => ({ type: "thinking" as const, thinking })),
  fc.tuple(anyText, anyPath, fc.boolean()).map(([content, path, pathFirst]) => ({
    type: "toolCall" as const,
    id: "call",
    name: "write",
    arguments: pathFirst ? { path, content } : { content, path },
  })),
  anyText.map((command) => ({ type: "toolCall" as const, id: "call", name: "bash", arguments: { command } })),
);

/** The events of a message whose text comes in pieces of these lengths, again and again. */
function cutEvents(message: AssistantMessage, lengths: readonly number[]): readonly ModelEvent[] {
  let next = 0;
  const cut = (text: string): readonly string[] => {
    const pieces: string[] = [];
    for (let at = 0; at < text.length; ) {
      const length = lengths[next++ % lengths.length] ?? 1;
      pieces.push(text.slice(at, at + length));
      at += length;
    }
    return pieces;
  };
  return [...messageEvents(message)].flatMap((event): readonly ModelEvent[] => {
    if (event.type === "text_delta" || event.type === "thinking_delta") {
      return cut(event.delta).map((delta) => ({ ...event, delta }));
    }
    if (event.type !== "toolcall_end") return [event];
    const { contentIndex, toolCall } = event;
    const pieces = cut(JSON.stringify(toolCall.arguments));
    return [...pieces.map((delta) => ({ type: "toolcall_delta" as const, contentIndex, delta })), event];
  });
}

function firesOf(events: Iterable<ModelEvent>): readonly string[] {
  const watched = new Map([["write", { path: "path", text: ["content"] }]]);
  const watch = createWatch(RULES, { cwd: "/project", watched });
  return [...events]
    .flatMap((event) => watch.push(event))
    .map(({ rule, contentIndex, stream, at }) => `${contentIndex} ${stream} ${rule.name}@${at}`)
    .sort();
}

test("Watch.push() fires the same whether a message comes whole or in any pieces", () => {
  fc.assert(
    fc.property(
      fc.array(anyBlock, { maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      (content, lengths) => {
        const message = assistantMessage(content);
        expect(firesOf(cutEvents(message, lengths))).toEqual(firesOf(messageEvents(message)));
      },
    ),
    { numRuns: 500 },
  );
});
