// What rules see of an answer while it comes is what is recorded of it, also where halves of surrogate pairs come.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { isObject, parseJson } from "../base/json.ts";
import { answerBuilder } from "../model/answer.ts";
import { NO_USAGE } from "../model/messages.ts";
import type { ModelEvent } from "../model/model.ts";
import { ruleOf, ttsrRules } from "../testing/rules.ts";
import { messageEvents } from "./message-events.ts";
import { createWatch } from "./watch.ts";

const SCOPE = "scope: text, thinking, tool";
const RULES = ttsrRules([
  ruleOf("pair", `condition: '😀'\n${SCOPE}`),
  ruleOf("half", `condition: '\ufffd'\n${SCOPE}`),
  ruleOf("end", `condition: '(\ufffd|a)$'\n${SCOPE}`),
  ruleOf("wide", `condition: '^a?.{1,2}b'\n${SCOPE}`),
  ruleOf("raw", `condition: '[\\ud800-\\udfff]'\n${SCOPE}`),
]);

const piece = fc.record({
  kind: fc.constantFrom("text", "text", "thinking", "call"),
  text: fc.string({ unit: fc.constantFrom("a", "b", "\ud83d", "\ude00", "😀"), maxLength: 4 }),
  cut: fc.nat(40),
});
type Piece = typeof piece extends fc.Arbitrary<infer T> ? T : never;

function streamOf(pieces: readonly Piece[]): readonly ModelEvent[] {
  const build = answerBuilder({ api: "a", provider: "p", model: "m" });
  const events = pieces.flatMap(({ kind, text, cut }, at): readonly ModelEvent[] => {
    if (kind === "text") return build.text(text);
    if (kind === "thinking") return build.thinking(text);
    const json = JSON.stringify({ content: text, [text]: [text] });
    const given = parseJson(json);
    const call = {
      type: "toolCall" as const,
      id: `c${at}`,
      name: "t",
      arguments: isObject(given) ? given : {},
    };
    const begun = build.toolCallStart(call.id, call.name);
    const deltas = [json.slice(0, cut), json.slice(cut)].flatMap(build.toolCallDelta);
    return [...begun, ...deltas, ...build.toolCallEnd(call)];
  });
  return [{ type: "start" }, ...events, ...build.done({ stopReason: "stop", usage: NO_USAGE })];
}

function firesOf(events: Iterable<ModelEvent>): readonly string[] {
  const watch = createWatch(RULES, { cwd: "/project" });
  return [...events].flatMap((event) =>
    watch.push(event).map(({ rule, contentIndex, at }) => `${rule.name} in ${contentIndex} at ${at}`),
  );
}

test("a watch fires on an answer as it comes as on the message that is recorded", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const events = streamOf(pieces);
      const end = events.at(-1);
      const recorded = end?.type === "done" ? [...messageEvents(end.message)] : [];
      expect([...firesOf(events)].sort()).toEqual([...firesOf(recorded)].sort());
      expect(events.every((event) => JSON.stringify(event).match(/\\ud[89a-f]/) === null)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
