// What a model writes is well-formed, whichever model it is and however its text is cut: the pieces, joined, are the
// message.

import { deepEqual } from "node:assert/strict";
import type { Case } from "../testing/cases.ts";
import { collectEvents, userRequest } from "../testing/collect.ts";
import { answerOf } from "../testing/fake-answers.ts";
import { eventsOf } from "../testing/ollama-fixture.ts";
import { tempDir } from "../testing/temp.ts";
import type { ModelEvent } from "./model.ts";
import { replayModel } from "./replay.ts";

const [HIGH, LOW] = ["\ud83d", "\ude00"];

/** Each block's pieces joined, and what the message has of it. */
function blocksOf(events: readonly ModelEvent[]): readonly (readonly unknown[])[] {
  const pieces = new Map<number, string>();
  for (const event of events)
    if (event.type === "text_delta" || event.type === "thinking_delta" || event.type === "toolcall_delta")
      pieces.set(event.contentIndex, (pieces.get(event.contentIndex) ?? "") + event.delta);
  const end = events.at(-1);
  const content = end?.type === "done" || end?.type === "error" ? end.message.content : [];
  return content.map((block, index) => {
    if (block.type === "text") return [pieces.get(index), block.text];
    if (block.type === "thinking") return [pieces.get(index), block.thinking];
    return [pieces.get(index), block.name, block.arguments];
  });
}

async function replayed(...lines: readonly object[]): Promise<ReturnType<typeof blocksOf>> {
  using dir = tempDir();
  const path = dir.write("r.jsonl", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const model = await replayModel(path, new AbortController().signal);
  return blocksOf(await collectEvents(model, userRequest("hi")));
}

const text = (delta: string) => ({ type: "text_delta", delta });
const thinking = (delta: string) => ({ type: "thinking_delta", delta });
const START = { type: "toolcall_start", name: `t${LOW}`, id: `c${LOW}` };
const argument = (delta: string) => ({ type: "toolcall_delta", delta });
const END = { type: "toolcall_end" };
const DONE = { type: "done" };

const same = (block: string) => [block, block];

export const WELL_FORMED_CASES: readonly Case[] = [
  {
    name: "replayModel() puts a pair together that two pieces share, in text and in thinking",
    run: async () => {
      deepEqual(await replayed(text(`a${HIGH}`), text(`${LOW}b`), DONE), [same("a😀b")]);
      deepEqual(await replayed(thinking(HIGH), thinking(LOW), DONE), [same("😀")]);
    },
  },
  {
    name: "replayModel() gives U+FFFD for a half that another block, a call, the end or a failure follows",
    run: async () => {
      deepEqual(await replayed(text(HIGH), thinking(LOW), text("b"), DONE), [
        same("\ufffd"),
        same("\ufffd"),
        same("b"),
      ]);
      deepEqual(await replayed(text(HIGH), { ...text(LOW), newBlock: true }, DONE), [
        same("\ufffd"),
        same("\ufffd"),
      ]);
      const call = ["{}", "t\ufffd", {}];
      deepEqual(await replayed(text(HIGH), START, argument("{}"), END, text(LOW), DONE), [
        same("\ufffd"),
        call,
        same("\ufffd"),
      ]);
      deepEqual(await replayed(text("a"), text(HIGH), DONE), [same("a\ufffd")]);
      deepEqual(await replayed(text("a"), text(HIGH), { type: "error" }), [same("a\ufffd")]);
      deepEqual(await replayed(text("a"), text(HIGH)), [same("a\ufffd")]);
      deepEqual(await replayed(text("a"), text(HIGH), { ...DONE, thinkingUntil: 0 }), [same("a\ufffd")]);
    },
  },
  {
    name: "replayModel() makes names and arguments of calls well-formed, the pieces too",
    run: async () => {
      const pieces = ['{"a', "\\ud8", '00":"\\ud83d', '\\ude00","b', HIGH, LOW, '":"\\ude00"}'];
      deepEqual(await replayed(START, ...pieces.map(argument), END, DONE), [
        ['{"a\\ufffd":"\\ud83d\\ude00","b😀":"\\ufffd"}', "t\ufffd", { "a\ufffd": "😀", "b😀": "\ufffd" }],
      ]);
    },
  },
  {
    name: "ollamaModel() puts a pair together that two lines share, and gives U+FFFD for any other half",
    run: async () => {
      const events = await eventsOf(
        answerOf([
          { thinking: `h${HIGH}` },
          { content: `a${HIGH}` },
          { content: LOW },
          { content: HIGH },
          { tool_calls: [{ function: { name: `t${HIGH}`, arguments: { [LOW]: [HIGH] } } }] },
          { content: `${LOW}b${HIGH}` },
        ]),
      );
      deepEqual(blocksOf(events), [
        same("h\ufffd"),
        same("a😀\ufffd"),
        ['{"\ufffd":["\ufffd"]}', "t\ufffd", { "\ufffd": ["\ufffd"] }],
        same("\ufffdb\ufffd"),
      ]);
    },
  },
  {
    name: "ollamaModel() puts a pair together around a beginning that was held back",
    run: async () => {
      const events = await eventsOf(answerOf([{ content: `<${HIGH}` }, { content: `${LOW}<` }]));
      deepEqual(blocksOf(events), [same("<😀<")]);
    },
  },
  {
    name: "ollamaModel() makes thinking well-formed that was streamed as text",
    run: async () => {
      const events = await eventsOf(
        answerOf([{ content: `a${HIGH}` }, { content: "</think>\n" }, { content: "b" }]),
      );
      deepEqual(blocksOf(events), [same("a\ufffd"), same("b")]);
    },
  },
];
