// A server that says what cannot be: more than it was asked for, sizes below zero, values too deep to be kept.

import { deepEqual } from "node:assert/strict";
import type { Case } from "../../testing/cases.ts";
import { collectEvents, userRequest } from "../../testing/collect.ts";
import { chunk, doneChunk, textAnswer } from "../../testing/fake-answers.ts";
import { fakeOllama } from "../../testing/fake-ollama.ts";
import { eventsOf, fakeModel, summarize } from "../../testing/ollama-fixture.ts";
import { parseHost } from "./host.ts";
import { listModels } from "./server.ts";

export const LYING_CASES: readonly Case[] = [
  {
    name: "ollamaModel() cuts off a server that goes on past the tokens it was asked for",
    run: async () => {
      const lines = Array.from({ length: 100 }, () => chunk({ content: "x".repeat(1_000) }));
      const asking = { request: { options: { maxTokens: 100 } } };
      const end = (await eventsOf({ lines, ending: "open" }, asking)).at(-1);
      deepEqual(end?.type === "done" && [end.message.stopReason, end.message.usage.output, end.notices], [
        "length",
        2_000,
        ["the server went on past 100 tokens, the most it was asked for; it was cut off"],
      ]);
    },
  },
  {
    name: "ollamaModel() counts no tokens where the server's count is none",
    run: async () => {
      for (const count of [-7, 1.5, "9", 1e300, null]) {
        const events = await eventsOf({
          lines: [chunk({ content: "a" }), doneChunk({ eval_count: count, prompt_eval_count: count })],
        });
        const end = events.at(-1);
        deepEqual(end?.type === "done" && end.message.usage.totalTokens, 0);
      }
    },
  },
  {
    name: "ollamaModel() asks for no window that is none, whatever the server says of the model's",
    run: async () => {
      for (const length of [-1, 0, 0.5, 1e300, "big"]) {
        const info = { "general.architecture": "fake", "fake.context_length": length };
        const show = { lines: [JSON.stringify({ capabilities: ["completion"], model_info: info })] };
        const ps = { lines: [JSON.stringify({ models: [{ name: "fake", context_length: length }] })] };
        const paths = { "/api/show": show, "/api/ps": ps };
        await using server = await fakeOllama({ answers: [textAnswer("a")], paths });
        await collectEvents(fakeModel(server), userRequest("hi"));
        deepEqual(server.chats()[0]?.body["options"], { num_ctx: 32_768, num_predict: 16_384 });
      }
    },
  },
  {
    name: "listModels() leaves out what cannot be a model's name",
    run: async () => {
      const models = [{}, { name: "" }, { name: "a\nb" }, { name: "\u001b[31m" }, { name: "good" }];
      const paths = { "/api/tags": { lines: [JSON.stringify({ models })] } };
      await using server = await fakeOllama({ paths });
      const found = await listModels(
        { host: parseHost(server.url), apiKey: undefined },
        new AbortController().signal,
      );
      deepEqual(found, ["good"]);
    },
  },
  {
    name: "ollamaModel() takes no line that is nested too deep to be kept",
    run: async () => {
      const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
      const call = `{"message":{"tool_calls":[{"function":{"name":"a","arguments":{"b":${deep}}}}]}}`;
      const error = `{"error":${deep}}`;
      for (const line of [call, error])
        deepEqual(summarize(await eventsOf({ lines: [`${line}\n`, doneChunk()] })), ["error unavailable"]);
      const text = { message: { tool_calls: [{ function: { name: "a", arguments: `{"b":${deep}}` } }] } };
      deepEqual(summarize(await eventsOf({ lines: [text, doneChunk()] })), ["error badToolCall"]);
    },
  },
];
