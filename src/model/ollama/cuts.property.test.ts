// Laws of streams, over answers and cuts that nobody thought of.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { chunk, doneChunk, type FakeAnswer } from "../../testing/fake-answers.ts";
import { contentOf, eventsOf, summarize } from "../../testing/ollama-fixture.ts";

const TOOLS = [{ name: "read", description: "", parameters: { type: "object" } }];
const RUNS = { numRuns: 40 };

/** Pieces that are near to something: tags, fences, calls, white space, several bytes a character. */
const piece = fc.oneof(
  fc.constantFrom(
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "```",
    "```json\n",
    "\n",
    " ",
    "é",
    "😀",
    "{",
    "}",
  ),
  fc.constantFrom(
    '{"name":"read","arguments":{}}',
    '{"name":"rm","arguments":{}}',
    '{"name": "re',
    "<th",
    "</thi",
    "`",
  ),
  fc.string({ maxLength: 6 }),
);

const message = fc.oneof(
  { weight: 6, arbitrary: piece.map((content): object => ({ content })) },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }).map((thinking): object => ({ thinking })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("read", "rm", "")
      .map((name): object => ({ tool_calls: [{ function: { name, arguments: {} } }] })),
  },
);

const cuts = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 });

test("ollamaModel() gives the same blocks however the bytes are cut", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 12 }), cuts, async (messages, sizes) => {
      const lines = [...messages.map(chunk), doneChunk()];
      const asking = { request: { tools: TOOLS } };
      const [whole, cut] = [
        await eventsOf({ lines }, asking),
        await eventsOf({ lines, cuts: sizes }, asking),
      ];
      expect(contentOf(cut)).toEqual(contentOf(whole));
      expect(summarize(cut).at(-1)).toBe(summarize(whole).at(-1) ?? "");
    }),
    RUNS,
  );
});

test("ollamaModel() keeps every character of a text that holds neither tags nor calls", async () => {
  const plain = fc.array(fc.string({ unit: "grapheme", maxLength: 20 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(plain, cuts, async (pieces, sizes) => {
      const text = pieces.join("");
      fc.pre(!/<|[[{`]/.test(text));
      const lines = [...pieces.map((content) => chunk({ content })), doneChunk()];
      const events = await eventsOf({ lines, cuts: sizes }, { request: { tools: TOOLS } });
      expect(contentOf(events).join("")).toBe(text === "" ? "" : `text ${text}`);
    }),
    RUNS,
  );
});

test("ollamaModel() begins with start and ends with one end, whatever the server sends", async () => {
  const line = fc.oneof(
    message.map((each): object | string => chunk(each)),
    fc.json().map((text): object | string => `${text}\n`),
    fc.string({ maxLength: 30 }).map((text): object | string => text),
    fc.constant<object | string>(doneChunk()),
  );
  const ending = fc.constantFrom("end", "cut", "reset") as fc.Arbitrary<"end" | "cut" | "reset">;
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 6 }), cuts, ending, async (lines, sizes, last) => {
      const answer: FakeAnswer = { lines, cuts: sizes, ending: last };
      const events = await eventsOf(answer, { request: { tools: TOOLS } });
      const ends = events.filter((event) => event.type === "done" || event.type === "error");
      expect([events[0], ends.length, events.at(-1)]).toEqual([{ type: "start" }, 1, ends[0]]);
    }),
    RUNS,
  );
});
