// Recordings: what is recorded is what is replayed, whatever happened while it was recorded.

import { deepEqual, equal, throws } from "node:assert/strict";
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { AppError } from "../base/errors.ts";
import type { Case } from "../testing/cases.ts";
import { collectEvents, userRequest } from "../testing/collect.ts";
import {
  chunk,
  errorAnswer,
  type FakeAnswer,
  textAnswer,
  thinkingAnswer,
  toolAnswer,
} from "../testing/fake-answers.ts";
import { fakeOllama } from "../testing/fake-ollama.ts";
import { contentOf, fakeModel, summarize } from "../testing/ollama-fixture.ts";
import { type TempDir, tempDir } from "../testing/temp.ts";
import type { ModelEvent } from "./model.ts";
import { recordedModel } from "./record.ts";
import { replayModel } from "./replay.ts";

const REQUEST = userRequest("hi");
const NEVER = new AbortController().signal;

/** Records an answer for each of `answers`; gives the events that were passed on. */
async function recordAll(
  path: string,
  answers: readonly FakeAnswer[],
): Promise<readonly (readonly ModelEvent[])[]> {
  await using server = await fakeOllama({ answers });
  const model = recordedModel(fakeModel(server), path);
  const events: (readonly ModelEvent[])[] = [];
  for (const _answer of answers) events.push(await collectEvents(model, REQUEST));
  return events;
}

async function replayAll(path: string, count: number): Promise<readonly (readonly ModelEvent[])[]> {
  const model = await replayModel(path, NEVER);
  const events: (readonly ModelEvent[])[] = [];
  for (let index = 0; index < count; index++) events.push(await collectEvents(model, REQUEST));
  return events;
}

/** Events without who answered and when. */
function comparable(events: readonly ModelEvent[]): readonly unknown[] {
  return events.map((event) => {
    if (event.type !== "done" && event.type !== "error") return event;
    const { content, stopReason, usage, errorMessage } = event.message;
    return { ...event, message: { content, stopReason, usage, errorMessage } };
  });
}

function withFile(run: (path: string, dir: TempDir) => Promise<void>): () => Promise<void> {
  return async () => {
    using dir = tempDir();
    await run(`${dir.path}/recording.jsonl`, dir);
  };
}

function isAppError(kind: string, message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof AppError && error.kind === kind && message.test(error.message);
}

function failureOf(events: readonly ModelEvent[] | undefined): readonly unknown[] {
  const end = events?.at(-1);
  return end?.type === "error"
    ? [end.failure.kind, end.failure.retryable, end.failure.message]
    : ["no error"];
}

export const RECORD_CASES: readonly Case[] = [
  {
    name: "replayModel() gives the very events that recordedModel() passed on, failures too",
    run: withFile(async (path) => {
      const answers = [
        { ...textAnswer("Hel", "lö 😀"), cuts: [5] },
        thinkingAnswer("hm", "yes"),
        toolAnswer({ name: "read", arguments: { path: "a.ts" } }, { name: "ls", arguments: {} }),
        errorAnswer(503, "busy", { "retry-after": "1" }),
        errorAnswer(500, "error parsing tool call: raw='{'"),
        { lines: [chunk({ content: "so far" })] },
        textAnswer("so it is\n</think>\n\n", "42"),
        { lines: [chunk({ content: "so it is\n</think>\n\n4" })] },
        textAnswer(""),
      ];
      const recorded = await recordAll(path, answers);
      const replayed = await replayAll(path, answers.length);
      deepEqual(replayed.map(comparable), recorded.map(comparable));
    }),
  },
  {
    name: "recordedModel() writes the model, what it can do, and one line for each event",
    run: withFile(async (path) => {
      await using server = await fakeOllama({ answers: [textAnswer("a", "b")] });
      const model = recordedModel(fakeModel(server), path);
      await model.info(NEVER);
      await collectEvents(model, REQUEST);
      deepEqual(readFileSync(path, "utf8").split("\n"), [
        '{"type":"recording","v":1,"provider":"ollama","model":"fake","info":{"contextWindow":32768,"tools":true,"vision":true,"thinking":true}}',
        '{"type":"start"}',
        '{"type":"text_delta","delta":"a"}',
        '{"type":"text_delta","delta":"b"}',
        '{"type":"done","stopReason":"stop","usage":{"input":20,"output":10,"cacheRead":0,"cacheWrite":0,"totalTokens":30}}',
        "",
      ]);
      deepEqual(await (await replayModel(path, NEVER)).info(NEVER), {
        contextWindow: 32_768,
        tools: true,
        vision: true,
        thinking: true,
      });
    }),
  },
  {
    name: "recordedModel() appends to what is there, after a torn line on a line of its own",
    run: withFile(async (path) => {
      await recordAll(path, [textAnswer("one")]);
      appendFileSync(path, '{"type":"start"}\n{"type":"text_del');
      await recordAll(path, [textAnswer("three")]);
      equal(readFileSync(path, "utf8").includes('\n{"type":"text_del\n{"type":"recording"'), true);
      const replayed = await replayAll(path, 3);
      deepEqual(replayed.map(summarize), [
        ["text 0 one", "done stop"],
        ["error input"],
        ["text 0 three", "done stop"],
      ]);
    }),
  },
  {
    name: "replayModel() stops where the recording was interrupted by a reader that left",
    run: withFile(async (path) => {
      await using server = await fakeOllama({ answers: [{ ...textAnswer("a", "b", "c"), lineDelayMs: 20 }] });
      for await (const event of recordedModel(fakeModel(server), path).stream(
        REQUEST,
        new AbortController().signal,
      )) {
        if (event.type === "text_delta") break;
      }
      const [replayed] = await replayAll(path, 1);
      deepEqual(summarize(replayed ?? []), ["text 0 a", "error input"]);
      deepEqual(failureOf(replayed), [
        "input",
        false,
        'Cannot replay "recording.jsonl": answer 1 was interrupted where it was recorded, and this run goes on',
      ]);
    }),
  },
  {
    name: "replayModel() gives what was recorded of an answer that is interrupted at the same place again",
    run: withFile(async (path) => {
      await using server = await fakeOllama({
        answers: [{ ...textAnswer("a", "b"), lineDelayMs: 20 }, textAnswer("c")],
      });
      const live = recordedModel(fakeModel(server), path);
      for (const model of [live, undefined]) {
        const texts: string[] = [];
        const used = model ?? (await replayModel(path, NEVER));
        for await (const event of used.stream(REQUEST, new AbortController().signal)) {
          if (event.type !== "text_delta") continue;
          texts.push(event.delta);
          break;
        }
        texts.push(...summarize(await collectEvents(used, REQUEST)));
        deepEqual(texts, ["a", "text 0 c", "done stop"]);
      }
    }),
  },
  {
    name: "recordedModel() ends the stream when it cannot write, and keeps the text",
    run: withFile(async (path, dir) => {
      await using server = await fakeOllama({ answers: [textAnswer("a", "b")] });
      const model = recordedModel(fakeModel(server), path);
      const events: ModelEvent[] = [];
      for await (const event of model.stream(REQUEST, new AbortController().signal)) {
        events.push(event);
        if (event.type === "text_delta") rmSync(dir.path, { recursive: true });
      }
      deepEqual([summarize(events), contentOf(events)], [["text 0 a", "error failed"], ["text a"]]);
      equal(failureOf(events)[2]?.toString().startsWith(`Cannot record to "${path}": `), true);
    }),
  },
  {
    name: "recordedModel() says at once that it cannot write there",
    run: withFile(async (path) => {
      const model = replayModelOf({ provider: "replay", id: "x" });
      throws(() => recordedModel(model, `${path}/below`), isAppError("failed", /^Cannot record to "/));
    }),
  },
];

function replayModelOf(named: { readonly provider: string; readonly id: string }) {
  return {
    ...named,
    info: () => Promise.reject(new Error("not asked")),
    // biome wants a yield in a generator; this one is never run.
    async *stream() {
      yield { type: "start" } as const;
    },
  };
}
