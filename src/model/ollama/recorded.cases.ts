// Answers as servers sent them (fixtures/recordings/ollama), cut in many ways: the events are the same each time.

import { deepEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Case } from "../../testing/cases.ts";
import { recordedAnswer } from "../../testing/fake-answers.ts";
import { contentOf, eventsOf, summarize } from "../../testing/ollama-fixture.ts";

const READ = { name: "read", description: "read a file", parameters: { type: "object" } };
const CUTS: readonly (readonly number[])[] = [[1], [7], [64], [1, 500, 3], [100_000]];

/** File, blocks of the final message, last event. */
const RECORDED: readonly (readonly [file: string, content: readonly string[], end: string])[] = [
  [
    "thinking-and-calls",
    [
      "thinking I need both files.",
      "text I read both.",
      'call read {"path":"a.ts"}',
      'call read {"path":"b.ts"}',
    ],
    "done toolUse",
  ],
  ["call-on-last-line", ["text I look.", "call ls {}"], "done toolUse"],
  ["tags-in-content", ["thinking Short and clear.\n", "text The cache is cold."], "done stop"],
  ["length", ["text This answer is longer than it may"], "done length"],
  ["broken-off", ["text This answer never"], "error unavailable"],
];

export const RECORDED_CASES: readonly Case[] = RECORDED.flatMap(([file, content, end]) =>
  CUTS.map((cuts) => ({
    name: `ollamaModel() reads the recorded ${file} in pieces of ${cuts.join(", ")} bytes`,
    run: async () => {
      const path = fileURLToPath(
        new URL(`../../../fixtures/recordings/ollama/${file}.ndjson`, import.meta.url).href,
      );
      const events = await eventsOf(recordedAnswer(path, { cuts }), {
        request: { tools: [READ] },
        server: { models: [{ name: "fake" }] },
      });
      deepEqual([contentOf(events), summarize(events).at(-1)], [content, end]);
    },
  })),
);
