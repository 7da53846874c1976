// What an answer's lines become: text, thinking and tool calls, whatever form the model and the server gave them.

import { deepEqual, equal } from "node:assert/strict";
import type { Case } from "../../testing/cases.ts";
import { answerOf, chunk, doneChunk, textAnswer, thinkingAnswer } from "../../testing/fake-answers.ts";
import { contentOf, eventsOf, summarize } from "../../testing/ollama-fixture.ts";
import type { ModelRequest } from "../model.ts";

const READ_TOOL = {
  name: "read",
  description: "read a file",
  parameters: { type: "object", properties: { path: { type: "string" } } },
};
const WITH_READ: Partial<ModelRequest> = { tools: [READ_TOOL] };

const call = (name: string, given: unknown, more: object = {}) => ({
  ...more,
  function: { index: 0, name, arguments: given },
});

export const ANSWER_CASES: readonly Case[] = [
  {
    name: "ollamaModel() gives text as it comes, and the whole of it at the end",
    run: async () => {
      const events = await eventsOf(textAnswer("Hel", "lo"));
      deepEqual(summarize(events), ["text 0 Hel", "text 0 lo", "done stop"]);
      const end = events.at(-1);
      deepEqual(end?.type === "done" && { ...end.message, timestamp: 0 }, {
        role: "assistant",
        content: [{ type: "text", text: "Hello" }],
        api: "ollama",
        provider: "ollama",
        model: "fake",
        usage: { input: 20, output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 30 },
        stopReason: "stop",
        timestamp: 0,
      });
    },
  },
  {
    name: "ollamaModel() puts UTF-8 together when it is cut between any two bytes",
    run: async () => {
      const text = "naïve 😀 \u2028 日本 \u0000 end";
      const events = await eventsOf({ ...textAnswer(text), cuts: [1] });
      deepEqual(contentOf(events), [`text ${text}`]);
    },
  },
  {
    name: "ollamaModel() reads several lines that come in one chunk, and a last line without newline",
    run: async () => {
      const lines = [chunk({ content: "a" }), chunk({ content: "b" })].map(
        (line) => `${JSON.stringify(line)}\n`,
      );
      const events = await eventsOf({ lines: [`${lines.join("")}\r\n\n${JSON.stringify(doneChunk())}`] });
      deepEqual(summarize(events), ["text 0 a", "text 0 b", "done stop"]);
    },
  },
  {
    name: "ollamaModel() reads a line of 5 MB",
    run: async () => {
      const text = "0123456789".repeat(500_000);
      const events = await eventsOf({ ...textAnswer(text), cuts: [60_000] });
      equal(contentOf(events)[0]?.length, text.length + "text ".length);
    },
  },
  {
    name: "ollamaModel() numbers thinking, text and calls in the order in which they began",
    run: async () => {
      const events = await eventsOf(
        answerOf([
          { thinking: "hm" },
          { content: "I read." },
          { tool_calls: [call("read", { path: "a" }), call("read", { path: "b" })] },
          { content: "And?" },
        ]),
        { request: WITH_READ },
      );
      deepEqual(summarize(events), [
        "thinking 0 hm",
        "text 1 I read.",
        'call 2 read {"path":"a"}',
        'call 3 read {"path":"b"}',
        "text 4 And?",
        "done toolUse",
      ]);
      equal(contentOf(events).length, 5);
    },
  },
  {
    name: "ollamaModel() keeps the tool call and the text of the last line",
    run: async () => {
      const last = doneChunk({
        message: { role: "assistant", content: "so", tool_calls: [call("read", { path: "z" })] },
      });
      const events = await eventsOf({ lines: [last] }, { request: WITH_READ });
      deepEqual(summarize(events), ["text 0 so", 'call 1 read {"path":"z"}', "done toolUse"]);
    },
  },
  {
    name: "ollamaModel() gives each call an id of its own, also when the server's are missing or equal",
    run: async () => {
      const same = call("read", {}, { id: "call_1" });
      const events = await eventsOf(answerOf([{ tool_calls: [same, same, call("read", {})] }]), {
        request: WITH_READ,
      });
      const ids = events.flatMap((event) => (event.type === "toolcall_end" ? [event.toolCall.id] : []));
      deepEqual([ids[0], new Set(ids).size, ids.includes("")], ["call_1", 3, false]);
    },
  },
  {
    name: "ollamaModel() takes a call that the last line repeats for one call",
    run: async () => {
      const calls = (...tool_calls: readonly object[]) => ({ role: "assistant", content: "", tool_calls });
      for (const id of [undefined, "call_1"]) {
        const first = call("read", { path: "a" }, { id });
        const lines = [
          chunk(calls(first)),
          doneChunk({ message: calls(first, call("read", { path: "b" })) }),
        ];
        deepEqual(contentOf(await eventsOf({ lines }, { request: WITH_READ })), [
          'call read {"path":"a"}',
          'call read {"path":"b"}',
        ]);
      }
    },
  },
  {
    name: "ollamaModel() reads arguments that are a JSON text, and none at all",
    run: async () => {
      const calls = ['{"path":"a"}', "", null, undefined, { path: 1 }].map((given) => call("read", given));
      const events = await eventsOf(answerOf([{ tool_calls: calls }]), { request: WITH_READ });
      deepEqual(contentOf(events), [
        'call read {"path":"a"}',
        "call read {}",
        "call read {}",
        "call read {}",
        'call read {"path":1}',
      ]);
    },
  },
  ...['{"path": ', '"a"', [1], 7].map((given) => ({
    name: `ollamaModel() says what was wrong with the arguments ${JSON.stringify(given)}`,
    run: async () => {
      const events = await eventsOf(answerOf([{ tool_calls: [call("read", given)] }]), {
        request: WITH_READ,
      });
      const end = events.at(-1);
      deepEqual(end?.type === "error" && [end.failure.reason, end.failure.retryable, end.failure.message], [
        "badToolCall",
        false,
        `The arguments of the tool call "read" are not a JSON object: ${JSON.stringify(given)}`,
      ]);
    },
  })),
  ...["", "rm_rf", "read "].map((name) => ({
    name: `ollamaModel() passes on a call of the tool ${JSON.stringify(name)}, for whoever runs it to answer`,
    run: async () => {
      const events = await eventsOf(answerOf([{ tool_calls: [call(name, {})] }]), { request: WITH_READ });
      deepEqual(summarize(events), [`call 0 ${name.trim()} {}`, "done toolUse"]);
    },
  })),
  {
    name: "ollamaModel() takes a call written as text for a call if the tool was offered",
    run: async () => {
      const text = '{"name": "read", "arguments": {"path": "a"}}';
      const answer = { ...textAnswer(text.slice(0, 9), text.slice(9)), cuts: [3] };
      deepEqual(summarize(await eventsOf(answer, { request: WITH_READ })), [
        'call 0 read {"path":"a"}',
        "done toolUse",
      ]);
      deepEqual(contentOf(await eventsOf(answer)), [`text ${text}`]);
    },
  },
  {
    name: "ollamaModel() leaves JSON text alone when the answer must be JSON",
    run: async () => {
      const text = '{"name": "read", "arguments": {"path": "a"}}';
      const request = { ...WITH_READ, options: { format: { type: "object" } } };
      deepEqual(contentOf(await eventsOf(textAnswer(text), { request })), [`text ${text}`]);
    },
  },
  {
    name: "ollamaModel() leaves JSON text alone when the server gave a call itself",
    run: async () => {
      const text = '{"name": "read", "arguments": {"path": "a"}}';
      const events = await eventsOf(
        answerOf([{ content: text }, { tool_calls: [call("read", { path: "b" })] }]),
        {
          request: WITH_READ,
        },
      );
      deepEqual(contentOf(events), [`text ${text}`, 'call read {"path":"b"}']);
    },
  },
  {
    name: "ollamaModel() splits thinking off the text, wherever the tags are cut",
    run: async () => {
      const pieces = ["<thi", "nk>\nhm", "\n</th", "ink>\n", "\nyes"];
      const events = await eventsOf({ ...textAnswer(...pieces), cuts: [11] });
      deepEqual(contentOf(events), ["thinking hm\n", "text yes"]);
    },
  },
  {
    name: "ollamaModel() takes what stands before a lone closing tag for thinking",
    run: async () => {
      const events = await eventsOf(textAnswer("so the answer", " is\n</think>\n\n", "42"));
      deepEqual(contentOf(events), ["thinking so the answer is\n", "text 42"]);
    },
  },
  {
    name: "ollamaModel() keeps tags in the text when thinking came apart",
    run: async () => {
      const events = await eventsOf(thinkingAnswer("hm", "a\n</think>\nb"));
      deepEqual(contentOf(events), ["thinking hm", "text a\n</think>\nb"]);
    },
  },
  {
    name: "ollamaModel() keeps thinking that no text followed",
    run: async () => {
      const events = await eventsOf(answerOf([{ thinking: "hm" }]));
      deepEqual([summarize(events), contentOf(events)], [["thinking 0 hm", "done stop"], ["thinking hm"]]);
    },
  },
  {
    name: "ollamaModel() tells an answer that ran out of room from one that is whole",
    run: async () => {
      const events = await eventsOf({
        lines: [chunk({ content: "a" }), doneChunk({ done_reason: "length" })],
      });
      deepEqual(summarize(events), ["text 0 a", "done length"]);
    },
  },
  ...["load", "unload"].map((reason) => ({
    name: `ollamaModel() takes an end by "${reason}" for a failure, not for an answer`,
    run: async () => {
      const events = await eventsOf({ lines: [doneChunk({ done_reason: reason })] });
      deepEqual(summarize(events), ["error unavailable"]);
    },
  })),
  {
    name: "ollamaModel() counts nothing where the server leaves a count out",
    run: async () => {
      const last = { model: "fake", message: { role: "assistant", content: "a" }, done: true };
      const end = (await eventsOf({ lines: [last] })).at(-1);
      deepEqual(end?.type === "done" && [end.message.usage.totalTokens, end.message.stopReason], [0, "stop"]);
    },
  },
];
