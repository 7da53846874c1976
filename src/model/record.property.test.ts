// The law of recordings: whatever a model streams, replay gives the very same events.

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { JsonObject } from "../base/json.ts";
import { collectEvents, userRequest } from "../testing/collect.ts";
import { tempDir } from "../testing/temp.ts";
import { answerBuilder } from "./answer.ts";
import type { Model, ModelEvent } from "./model.ts";
import { recordedModel } from "./record.ts";
import { replayModel } from "./replay.ts";

const IDENTITY = { api: "test", provider: "test", model: "test" };

/** One answer: pieces in any order, and an end. */
const answer = fc.record({
  pieces: fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant("text" as const), text: fc.string({ unit: "binary", maxLength: 8 }) }),
      fc.record({
        kind: fc.constant("thinking" as const),
        text: fc.string({ unit: "binary", maxLength: 8 }),
      }),
      fc.record({
        kind: fc.constant("call" as const),
        name: fc.string({ maxLength: 5 }),
        // As JSON writes it: it has no negative zero.
        given: fc
          .dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
          .map((value): JsonObject => JSON.parse(JSON.stringify(value))),
      }),
    ),
    { maxLength: 6 },
  ),
  fails: fc.boolean(),
  tokens: fc.nat(),
});

type Answer = typeof answer extends fc.Arbitrary<infer T> ? T : never;

function eventsOf({ pieces, fails, tokens }: Answer): readonly ModelEvent[] {
  const build = answerBuilder(IDENTITY);
  const events = pieces.flatMap((piece, index): readonly ModelEvent[] => {
    if (piece.kind === "text") return build.text(piece.text);
    if (piece.kind === "thinking") return build.thinking(piece.text);
    return build.toolCall({
      type: "toolCall",
      id: `call_${index}`,
      name: piece.name,
      arguments: piece.given,
    });
  });
  const usage = { input: tokens, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: tokens + 1 };
  const failure = {
    kind: "unavailable",
    message: "it broke",
    retryable: true,
    retryAfterMs: tokens,
  } as const;
  const end = fails
    ? build.error({ failure, aborted: false, usage })
    : build.done({ stopReason: build.hasToolCalls() ? "toolUse" : "length", usage, notices: ["noticed"] });
  return [{ type: "start" }, ...events, ...end];
}

function modelOf(answers: readonly (readonly ModelEvent[])[]): Model {
  let next = 0;
  return {
    provider: "test",
    id: "test",
    info: () => Promise.reject(new Error("not asked")),
    async *stream() {
      yield* answers[next++] ?? [];
    },
  };
}

/** Events without who answered and when, and what failed requests counted. */
function comparable(events: readonly ModelEvent[]): readonly unknown[] {
  return events.map((event) => {
    if (event.type === "done") {
      const { content, stopReason, usage } = event.message;
      return { ...event, message: { content, stopReason, usage } };
    }
    return event.type === "error" ? { ...event, message: event.message.content } : event;
  });
}

test("replayModel() of what recordedModel() wrote gives the same events", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 3 }), async (answers) => {
      using dir = tempDir();
      const path = `${dir.path}/r.jsonl`;
      const events = answers.map(eventsOf);
      const recorded = recordedModel(modelOf(events), path);
      for (const expected of events)
        expect(await collectEvents(recorded, userRequest("hi"))).toEqual([...expected]);
      const replayed = await replayModel(path, new AbortController().signal);
      for (const expected of events) {
        const again = await collectEvents(replayed, userRequest("hi"));
        expect(comparable(again)).toEqual(comparable(expected));
      }
    }),
    { numRuns: 60 },
  );
});
