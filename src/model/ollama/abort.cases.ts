// Whatever way a stream is left, the server sees the connection close, and the reader gets one end.

import { deepEqual, equal } from "node:assert/strict";
import { AppError } from "../../base/errors.ts";
import type { Case } from "../../testing/cases.ts";
import { collectEvents, userRequest } from "../../testing/collect.ts";
import { chunk, doneChunk, textAnswer } from "../../testing/fake-answers.ts";
import { fakeOllama } from "../../testing/fake-ollama.ts";
import { contentOf, fakeModel, summarize } from "../../testing/ollama-fixture.ts";
import type { ModelEvent } from "../model.ts";

/** A minute: every test here ends long before, or hangs. */
const NEVER_MS = 60_000;
const REQUEST = userRequest("hi");

const SLOW_HEAD = { ...textAnswer("late"), headDelayMs: NEVER_MS };
const STUCK = { lines: [chunk({ content: "so far" })], ending: "open" as const };
const OPEN_AFTER_DONE = { lines: [chunk({ content: "all" }), doneChunk()], ending: "open" as const };

export const ABORT_CASES: readonly Case[] = [
  {
    name: "ollamaModel() closes the connection when it is aborted before the headers",
    run: async () => {
      await using server = await fakeOllama({ answers: [SLOW_HEAD] });
      const controller = new AbortController();
      const events = collectEvents(fakeModel(server), REQUEST, controller.signal);
      const asked = await server.chat(0);
      controller.abort();
      await asked.clientGone;
      const end = (await events).at(-1);
      deepEqual(end?.type === "error" && [end.message.stopReason, end.failure.kind, end.failure.retryable], [
        "aborted",
        "cancelled",
        false,
      ]);
    },
  },
  {
    name: "ollamaModel() closes the connection when it is aborted in mid-stream, and keeps the text",
    run: async () => {
      await using server = await fakeOllama({ answers: [STUCK] });
      const controller = new AbortController();
      const events: ModelEvent[] = [];
      for await (const event of fakeModel(server).stream(REQUEST, controller.signal)) {
        events.push(event);
        if (event.type === "text_delta") controller.abort();
      }
      await (await server.chat(0)).clientGone;
      deepEqual(
        [summarize(events), contentOf(events)],
        [["text 0 so far", "error cancelled"], ["text so far"]],
      );
    },
  },
  {
    name: "ollamaModel() gives nothing more of an answer that is there, once it is aborted",
    run: async () => {
      await using server = await fakeOllama({
        answers: [{ ...textAnswer("a", "b", "c"), cuts: [100_000] }],
      });
      const controller = new AbortController();
      const events: ModelEvent[] = [];
      for await (const event of fakeModel(server).stream(REQUEST, controller.signal)) {
        events.push(event);
        if (event.type === "text_delta") controller.abort();
      }
      deepEqual(summarize(events), ["text 0 a", "error cancelled"]);
    },
  },
  {
    name: "ollamaModel() closes the connection when its reader leaves early",
    run: async () => {
      await using server = await fakeOllama({ answers: [STUCK] });
      for await (const event of fakeModel(server).stream(REQUEST, new AbortController().signal)) {
        if (event.type === "text_delta") break;
      }
      await (await server.chat(0)).clientGone;
    },
  },
  {
    name: "ollamaModel() closes the connection when its reader throws",
    run: async () => {
      await using server = await fakeOllama({ answers: [STUCK] });
      const thrown = new Error("reader");
      try {
        for await (const event of fakeModel(server).stream(REQUEST, new AbortController().signal)) {
          if (event.type === "text_delta") throw thrown;
        }
      } catch (error) {
        equal(error, thrown);
      }
      await (await server.chat(0)).clientGone;
    },
  },
  {
    name: "ollamaModel() closes the connection after done, whatever the server does",
    run: async () => {
      await using server = await fakeOllama({ answers: [OPEN_AFTER_DONE] });
      const events = await collectEvents(fakeModel(server), REQUEST);
      deepEqual(summarize(events), ["text 0 all", "done stop"]);
      await (await server.chat(0)).clientGone;
    },
  },
  {
    name: "ollamaModel() ends in peace when it is aborted after done",
    run: async () => {
      await using server = await fakeOllama({ answers: [OPEN_AFTER_DONE] });
      const controller = new AbortController();
      for await (const event of fakeModel(server).stream(REQUEST, controller.signal)) {
        if (event.type === "done") controller.abort();
      }
      await (await server.chat(0)).clientGone;
    },
  },
  {
    name: "ollamaModel() aborts one stream and leaves another of the same model alone",
    run: async () => {
      await using server = await fakeOllama({
        answers: [STUCK, { ...textAnswer("a", "b"), lineDelayMs: 30 }],
      });
      const model = fakeModel(server);
      const controller = new AbortController();
      const first = collectEvents(model, REQUEST, controller.signal);
      await server.chat(0);
      const second = collectEvents(model, REQUEST);
      await server.chat(1);
      controller.abort();
      deepEqual(summarize(await first).at(-1), "error cancelled");
      deepEqual(summarize(await second), ["text 0 a", "text 0 b", "done stop"]);
    },
  },
  {
    name: "ollamaModel() asks nothing when it is aborted already",
    run: async () => {
      await using server = await fakeOllama({ answers: [textAnswer("a")] });
      const events = await collectEvents(fakeModel(server), REQUEST, AbortSignal.abort());
      deepEqual([summarize(events), server.chats().length], [["error cancelled"], 0]);
    },
  },
  {
    name: "ollamaModel() closes the connection when it is aborted while it asks about the model",
    run: async () => {
      await using server = await fakeOllama({
        paths: { "/api/show": { lines: ["{}"], headDelayMs: NEVER_MS } },
      });
      const controller = new AbortController();
      const events = collectEvents(fakeModel(server), REQUEST, controller.signal);
      const asked = await server.request("/api/show");
      controller.abort();
      await asked.clientGone;
      deepEqual(summarize(await events), ["error cancelled"]);
    },
  },
  {
    name: "ollamaModel() asks again about the model when the first time was aborted",
    run: async () => {
      await using server = await fakeOllama({ answers: [textAnswer("a")] });
      const model = fakeModel(server);
      await collectEvents(model, REQUEST, AbortSignal.abort());
      deepEqual(summarize(await collectEvents(model, REQUEST)), ["text 0 a", "done stop"]);
    },
  },
  {
    name: "ollamaModel() says why it was aborted, if the signal says it",
    run: async () => {
      const reason = new AppError("sigint", "Ended by SIGINT");
      await using server = await fakeOllama({ answers: [SLOW_HEAD] });
      const controller = new AbortController();
      const events = collectEvents(fakeModel(server), REQUEST, controller.signal);
      await server.chat(0);
      controller.abort(reason);
      const end = (await events).at(-1);
      deepEqual(end?.type === "error" && end.failure, {
        kind: "sigint",
        message: "Ended by SIGINT",
        retryable: false,
      });
    },
  },
];
