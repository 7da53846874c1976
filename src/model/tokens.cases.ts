// The one estimate of tokens.

import { deepEqual } from "node:assert/strict";
import type { Case } from "../testing/cases.ts";
import { userRequest } from "../testing/collect.ts";
import { correctEstimate, estimateMessageTokens, estimateRequestTokens, estimateTokens } from "./tokens.ts";

export const TOKEN_CASES: readonly Case[] = [
  {
    name: "estimateTokens() is a quarter of the UTF-8 bytes, rounded up",
    run: () => deepEqual(["", "a", "abcd", "abcde", "日本", "😀"].map(estimateTokens), [0, 1, 1, 2, 2, 1]),
  },
  {
    name: "estimateMessageTokens() counts all that is sent of a message, an image as a fixed size",
    run: () =>
      deepEqual(
        [
          estimateMessageTokens({ role: "user", content: "abcd", timestamp: 0 }),
          estimateMessageTokens({
            role: "user",
            content: [
              { type: "text", text: "abcd" },
              { type: "image", data: "A".repeat(100_000), mimeType: "image/png" },
            ],
            timestamp: 0,
          }),
        ],
        [5, 1005],
      ),
  },
  {
    name: "estimateRequestTokens() counts the system prompt and the tools too",
    run: () => {
      const bare = userRequest("abcd", { systemPrompt: "" });
      const tool = { name: "a", description: "b", parameters: {} };
      deepEqual(
        [bare, { ...bare, systemPrompt: "abcd" }, { ...bare, tools: [tool] }].map(estimateRequestTokens),
        [5, 10, 5 + Math.ceil(JSON.stringify([tool]).length / 4)],
      );
    },
  },
  {
    name: "correctEstimate() follows what the server counted, within a factor of three",
    run: () =>
      deepEqual(
        [
          correctEstimate(100, undefined),
          correctEstimate(100, { estimated: 1000, counted: 1500 }),
          correctEstimate(100, { estimated: 1000, counted: 500 }),
          correctEstimate(100, { estimated: 1000, counted: 10 }),
          correctEstimate(100, { estimated: 1000, counted: 100_000 }),
          correctEstimate(100, { estimated: 1000, counted: 0 }),
        ],
        [100, 150, 50, 34, 300, 100],
      ),
  },
];
