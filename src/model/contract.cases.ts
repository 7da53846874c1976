// The contract of every model: one beginning, one end, numbers that agree with the final message, and no exception.

import { deepEqual, equal } from "node:assert/strict";
import type { Case } from "../testing/cases.ts";
import { collectEvents, userRequest } from "../testing/collect.ts";
import { answerOf, type FakeAnswer } from "../testing/fake-answers.ts";
import { fakeOllama } from "../testing/fake-ollama.ts";
import { fakeModel } from "../testing/ollama-fixture.ts";
import { tempDir } from "../testing/temp.ts";
import type { AssistantBlock } from "./messages.ts";
import type { Model, ModelEvent } from "./model.ts";
import { recordedModel } from "./record.ts";
import { replayModel } from "./replay.ts";

const REQUEST = userRequest("hi");

/** Thinking, text and two calls, in several pieces. */
const RICH: FakeAnswer = {
  ...answerOf([
    { thinking: "h" },
    { thinking: "m" },
    { content: "I " },
    { content: "read" },
    { tool_calls: [{ function: { name: "read", arguments: { path: "a" } } }] },
    { tool_calls: [{ function: { name: "ls", arguments: {} } }] },
  ]),
  lineDelayMs: 2,
};

type MakeModel = (run: (model: Model) => Promise<void>) => Promise<void>;

const ollama: MakeModel = async (run) => {
  await using server = await fakeOllama({ answers: [RICH, RICH, RICH] });
  await run(fakeModel(server));
};

const recorded: MakeModel = async (run) => {
  using dir = tempDir();
  await ollama((model) => run(recordedModel(model, `${dir.path}/r.jsonl`)));
};

const replayed: MakeModel = async (run) => {
  using dir = tempDir();
  const path = `${dir.path}/r.jsonl`;
  await ollama(async (model) => {
    for (let turn = 0; turn < 3; turn++) await collectEvents(recordedModel(model, path), REQUEST);
  });
  await run(await replayModel(path, new AbortController().signal));
};

const MODELS: readonly (readonly [name: string, make: MakeModel])[] = [
  ["ollamaModel", ollama],
  ["recordedModel", recorded],
  ["replayModel", replayed],
];

/** The final message's blocks as the events alone tell them. */
function blocksOf(events: readonly ModelEvent[]): readonly AssistantBlock[] {
  const blocks: AssistantBlock[] = [];
  for (const event of events) {
    if (event.type === "text_delta") {
      const block = blocks[event.contentIndex];
      const text = block?.type === "text" ? block.text : "";
      blocks[event.contentIndex] = { type: "text", text: text + event.delta };
    }
    if (event.type === "thinking_delta") {
      const block = blocks[event.contentIndex];
      const thinking = block?.type === "thinking" ? block.thinking : "";
      blocks[event.contentIndex] = { type: "thinking", thinking: thinking + event.delta };
    }
    if (event.type === "toolcall_end") blocks[event.contentIndex] = event.toolCall;
  }
  return blocks;
}

function endsOf(events: readonly ModelEvent[]): readonly number[] {
  return events.flatMap((event, index) => (event.type === "done" || event.type === "error" ? [index] : []));
}

export const CONTRACT_CASES: readonly Case[] = MODELS.flatMap(([name, make]) => [
  {
    name: `${name}() begins with start, ends with one done, and its events tell the final message`,
    run: () =>
      make(async (model) => {
        const events = await collectEvents(model, REQUEST);
        const end = events.at(-1);
        deepEqual([events[0], endsOf(events)], [{ type: "start" }, [events.length - 1]]);
        deepEqual(end?.type === "done" && [end.message.content, end.message.stopReason], [
          blocksOf(events),
          "toolUse",
        ]);
        deepEqual(
          blocksOf(events).map((block) => block.type),
          ["thinking", "text", "toolCall", "toolCall"],
        );
      }),
  },
  {
    name: `${name}() gives the arguments of a call as the JSON of its deltas`,
    run: () =>
      make(async (model) => {
        let json = "";
        for (const event of await collectEvents(model, REQUEST)) {
          if (event.type === "toolcall_start") json = "";
          if (event.type === "toolcall_delta") json += event.delta;
          if (event.type === "toolcall_end") deepEqual(JSON.parse(json), event.toolCall.arguments);
        }
        equal(json, "{}");
      }),
  },
  {
    name: `${name}() ends with one error, no exception, when more is asked of it than it has`,
    run: () =>
      make(async (model) => {
        for (let turn = 0; turn < 3; turn++) await collectEvents(model, REQUEST);
        const events = await collectEvents(model, REQUEST);
        const end = events.at(-1);
        deepEqual([events.length, end?.type === "error" && end.message.stopReason], [2, "error"]);
      }),
  },
  {
    name: `${name}() ends with one error when it is aborted before it begins, and in mid-stream`,
    run: () =>
      make(async (model) => {
        const before = await collectEvents(model, REQUEST, AbortSignal.abort());
        const controller = new AbortController();
        const events: ModelEvent[] = [];
        for await (const event of model.stream(REQUEST, controller.signal)) {
          events.push(event);
          if (event.type === "text_delta") controller.abort();
        }
        for (const all of [before, events]) {
          const end = all.at(-1);
          deepEqual(
            [endsOf(all), end?.type === "error" && end.message.stopReason],
            [[all.length - 1], "aborted"],
          );
        }
        const end = events.at(-1);
        deepEqual(end?.type === "error" && end.message.content, blocksOf(events));
      }),
  },
  {
    name: `${name}() can be left early, and asked again`,
    run: () =>
      make(async (model) => {
        for await (const event of model.stream(REQUEST, new AbortController().signal)) {
          if (event.type === "text_delta") break;
        }
        equal((await collectEvents(model, REQUEST)).at(-1)?.type, "done");
      }),
  },
  {
    name: `${name}() says what the model can do, the same every time`,
    run: () =>
      make(async (model) => {
        const signal = new AbortController().signal;
        const info = await model.info(signal);
        deepEqual([await model.info(signal), info.tools, info.thinking], [info, true, true]);
      }),
  },
]);
