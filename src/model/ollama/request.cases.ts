// What is sent: the whole body of a request, and what is left out for a model that does not take it.

import { deepEqual, equal } from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Case } from "../../testing/cases.ts";
import { collectEvents, userRequest } from "../../testing/collect.ts";
import { textAnswer } from "../../testing/fake-answers.ts";
import { type FakeModel, fakeOllama } from "../../testing/fake-ollama.ts";
import { fakeModel } from "../../testing/ollama-fixture.ts";
import { tempDir } from "../../testing/temp.ts";
import { NO_USAGE } from "../messages.ts";
import type { ModelEvent, ModelRequest } from "../model.ts";
import { toServerSchema } from "./tool-schema.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const READ = {
  name: "read",
  description: "read a file",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};
const ASSISTANT = {
  api: "ollama",
  provider: "ollama",
  model: "fake",
  usage: NO_USAGE,
  timestamp: 0,
} as const;

const HISTORY: ModelRequest = {
  systemPrompt: "Be brief.",
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "Look" },
        { type: "image", data: PIXEL, mimeType: "image/png" },
      ],
      timestamp: 0,
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "I read." },
        { type: "toolCall", id: "call_1", name: "read", arguments: { path: "a" } },
        { type: "toolCall", id: "call_2", name: "read", arguments: {} },
      ],
      ...ASSISTANT,
      stopReason: "toolUse",
    },
    {
      role: "toolResult",
      toolCallId: "call_1",
      toolName: "read",
      content: [
        { type: "text", text: "one" },
        { type: "text", text: "two" },
      ],
      isError: false,
      timestamp: 0,
    },
    {
      role: "toolResult",
      toolCallId: "call_2",
      toolName: "read",
      content: [{ type: "image", data: PIXEL, mimeType: "image/png" }],
      isError: true,
      timestamp: 0,
    },
  ],
  tools: [READ],
  options: { think: "high", maxTokens: 100 },
};

interface Sent {
  readonly body: { readonly [key: string]: unknown };
  readonly end: ModelEvent | undefined;
}

async function sent(request: ModelRequest, model: Partial<FakeModel> = {}): Promise<Sent> {
  await using server = await fakeOllama({
    answers: [textAnswer("ok")],
    models: [{ name: "fake", ...model }],
  });
  const events = await collectEvents(fakeModel(server, { keepAlive: "5m" }), request);
  return { body: server.chats()[0]?.body ?? {}, end: events.at(-1) };
}

const PLAIN = { capabilities: ["completion"] };

export const REQUEST_CASES: readonly Case[] = [
  {
    name: "buildRequest() sends a history with thinking, calls, results and images",
    run: async () => {
      deepEqual((await sent(HISTORY)).body, {
        model: "fake",
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "Look", images: [PIXEL] },
          {
            role: "assistant",
            content: "I read.",
            thinking: "hm",
            tool_calls: [
              { id: "call_1", function: { name: "read", arguments: { path: "a" } } },
              { id: "call_2", function: { name: "read", arguments: {} } },
            ],
          },
          { role: "tool", tool_name: "read", tool_call_id: "call_1", content: "one\ntwo" },
          { role: "tool", tool_name: "read", tool_call_id: "call_2", content: "", images: [PIXEL] },
        ],
        stream: true,
        truncate: false,
        shift: false,
        tools: [{ type: "function", function: READ }],
        think: "high",
        keep_alive: "5m",
        options: { num_ctx: 32_768, num_predict: 100 },
      });
    },
  },
  {
    name: "buildRequest() leaves out tools, thinking and images for a model that takes none",
    run: async () => {
      const { body } = await sent(HISTORY, PLAIN);
      const unseen = "[an image (image/png) that this model cannot see]";
      deepEqual(
        [body["tools"], body["think"], body["messages"]],
        [
          undefined,
          undefined,
          [
            { role: "system", content: "Be brief." },
            { role: "user", content: `Look\n${unseen}` },
            {
              role: "assistant",
              content: "I read.",
              thinking: "hm",
              tool_calls: [
                { id: "call_1", function: { name: "read", arguments: { path: "a" } } },
                { id: "call_2", function: { name: "read", arguments: {} } },
              ],
            },
            { role: "tool", tool_name: "read", tool_call_id: "call_1", content: "one\ntwo" },
            { role: "tool", tool_name: "read", tool_call_id: "call_2", content: unseen },
          ],
        ],
      );
    },
  },
  ...(
    [
      [undefined, undefined, undefined],
      ["off", false, undefined],
      ["on", true, undefined],
      ["low", "low", undefined],
      ["medium", "medium", undefined],
      ["high", "high", undefined],
    ] as const
  ).map(([think, thinking, plain]) => ({
    name: `buildRequest() sends ${JSON.stringify(thinking)} for --think ${think}, and nothing to a model that cannot`,
    run: async () => {
      const request = userRequest("hi", { options: think === undefined ? {} : { think } });
      deepEqual(
        [(await sent(request)).body["think"], (await sent(request, PLAIN)).body["think"]],
        [thinking, plain],
      );
    },
  })),
  {
    name: "ollamaModel() says what it left out for a model that cannot",
    run: async () => {
      const notices = async (more: Partial<ModelRequest>) => {
        const { end } = await sent(userRequest("hi", more), PLAIN);
        return end?.type === "done" ? end.notices : "no end";
      };
      const tools = [{ name: "read", description: "", parameters: { type: "object" } }];
      deepEqual(await notices({ options: { think: "on" } }), ['fake does not think: "on" was left out']);
      deepEqual(await notices({ options: { think: "off" } }), undefined);
      deepEqual(await notices({ tools }), ["fake takes no tools; it was asked without them"]);
    },
  },
  {
    name: "buildRequest() sends a schema as the format of the answer",
    run: async () => {
      const format = { type: "object", properties: { a: { type: "integer" } } };
      deepEqual((await sent(userRequest("hi", { options: { format } }))).body["format"], format);
    },
  },
  {
    name: "buildRequest() sends no schema to the cloud, which takes none",
    run: async () => {
      await using server = await fakeOllama({ answers: [textAnswer("ok")], models: [{ name: "big-cloud" }] });
      const request = userRequest("hi", { options: { format: { type: "object" } } });
      await collectEvents(fakeModel(server, { model: "big-cloud" }), request);
      equal("format" in (server.chats()[0]?.body ?? {}), false);
    },
  },
  {
    name: "toServerSchema() gives each part one type, and properties that are an object",
    run: () =>
      deepEqual(
        [
          toServerSchema({}),
          toServerSchema({ type: "object", properties: [] }),
          toServerSchema({
            type: ["object", "null"],
            properties: {
              type: { type: ["null", "string"], enum: ["type", ["a"]] },
              list: { type: "array", items: { type: ["integer", "string"] } },
              any: { anyOf: [{ type: ["null"] }, { type: "object", properties: [] }] },
            },
            required: ["type"],
          }),
        ],
        [
          { type: "object", properties: {} },
          { type: "object", properties: {} },
          {
            type: "object",
            properties: {
              type: { type: "string", enum: ["type", ["a"]] },
              list: { type: "array", items: { type: "integer" } },
              any: { anyOf: [{ type: "null" }, { type: "object", properties: {} }] },
            },
            required: ["type"],
          },
        ],
      ),
  },
  {
    name: "buildRequest() always bounds the length of the answer",
    run: async () => {
      const { body } = await sent(userRequest("hi"));
      deepEqual(body["options"], { num_ctx: 32_768, num_predict: 16_384 });
    },
  },
  {
    name: "buildRequest() leaves the window of a cloud model to its server",
    run: async () => {
      await using server = await fakeOllama({
        answers: [textAnswer("ok")],
        models: [{ name: "big:cloud", contextLength: 262_144 }],
      });
      const model = fakeModel(server, { model: "big:cloud" });
      await collectEvents(model, userRequest("hi"));
      deepEqual(server.chats()[0]?.body["options"], { num_predict: 16_384 });
      equal((await model.info(new AbortController().signal)).contextWindow, 262_144);
    },
  },
  {
    name: "buildRequest() never lets the data of an image be taken for a file's name",
    run: async () => {
      using dir = tempDir();
      const path = dir.write("secret.png", "secret");
      const data = Buffer.from(path, "base64").toString("base64");
      const { body } = await sent(
        userRequest("", {
          messages: [
            { role: "user", content: [{ type: "image", data: path, mimeType: "image/png" }], timestamp: 0 },
          ],
        }),
      );
      deepEqual(body["messages"], [
        { role: "system", content: "You are a test." },
        { role: "user", content: "", images: [data] },
      ]);
    },
  },
  {
    name: "ollamaModel() gives a server that does not name capabilities the benefit of the doubt",
    run: async () => {
      await using server = await fakeOllama({ paths: { "/api/show": { lines: [{ model_info: {} }] } } });
      deepEqual(await fakeModel(server).info(new AbortController().signal), {
        contextWindow: 32_768,
        tools: true,
        vision: true,
        thinking: false,
      });
    },
  },
  {
    name: "ollamaModel() asks about a model once",
    run: async () => {
      await using server = await fakeOllama({ answers: [textAnswer("a"), textAnswer("b")] });
      const model = fakeModel(server);
      await model.info(new AbortController().signal);
      await collectEvents(model, userRequest("a"));
      await collectEvents(model, userRequest("b"));
      equal(server.requests.filter((request) => request.path === "/api/show").length, 1);
    },
  },
];
