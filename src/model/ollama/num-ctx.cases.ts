// The context window of a run: one size from the first request to the last, and a cut prompt that does not stay
// unnoticed.

import { deepEqual } from "node:assert/strict";
import type { Case } from "../../testing/cases.ts";
import { collectEvents, userRequest } from "../../testing/collect.ts";
import { type FakeAnswer, textAnswer } from "../../testing/fake-answers.ts";
import { type FakeOllamaOptions, fakeOllama } from "../../testing/fake-ollama.ts";
import { fakeModel } from "../../testing/ollama-fixture.ts";
import type { ModelEvent, ModelRequest } from "../model.ts";
import type { OllamaModelOptions } from "./model.ts";

/** About `tokens` tokens as one user message. */
function longRequest(tokens: number): ModelRequest {
  return userRequest("x".repeat(tokens * 4));
}

interface Run {
  readonly server: FakeOllamaOptions;
  readonly requests: readonly ModelRequest[];
  readonly model?: Partial<OllamaModelOptions>;
}

interface RunReport {
  /** Of each request: `num_ctx`, and what was said at its end. */
  readonly asked: readonly unknown[];
  readonly ends: readonly ModelEvent[];
  readonly window: number | undefined;
}

async function runAll({ server: options, requests, model: more }: Run): Promise<RunReport> {
  const answers: readonly FakeAnswer[] = requests.map(() => textAnswer("ok"));
  await using server = await fakeOllama({ answers, ...options });
  const model = fakeModel(server, more);
  const ends: ModelEvent[] = [];
  for (const request of requests) ends.push(...(await collectEvents(model, request)).slice(-1));
  const window = (await model.info(new AbortController().signal)).contextWindow;
  return { asked: server.chats().map((request) => contextAsked(request.body)), ends, window };
}

function contextAsked(body: { readonly [key: string]: unknown }): unknown {
  const options = body["options"];
  return typeof options === "object" && options !== null && "num_ctx" in options
    ? options.num_ctx
    : undefined;
}

function noticesOf(ends: readonly ModelEvent[]): readonly (readonly string[])[] {
  return ends.map((end) => (end.type === "done" ? (end.notices ?? []) : [`not done: ${end.type}`]));
}

const CUT = /^the server cut the prompt/;

export const NUM_CTX_CASES: readonly Case[] = [
  {
    name: "ollamaModel() finds the window of a Modelfile among its parameters",
    run: async () => {
      const parameters =
        'stop                           "<|end|>"\nnum_ctx                        12000\ntop_k 40';
      const show = { lines: [{ parameters, capabilities: ["completion"], model_info: {} }] };
      const { asked } = await runAll({
        server: { paths: { "/api/show": show } },
        requests: [userRequest("a")],
      });
      deepEqual(asked, [12_000]);
    },
  },
  {
    name: "ollamaModel() asks for the same window every time, whatever is loaded in between",
    run: async () => {
      const loaded = { "/api/ps": { lines: [{ models: [{ name: "fake", context_length: 65_536 }] }] } };
      const requests = [userRequest("a"), userRequest("b"), userRequest("c")];
      const fresh = await runAll({ server: {}, requests });
      const kept = await runAll({ server: { paths: loaded }, requests });
      const flag = await runAll({ server: { paths: loaded }, requests, model: { numCtx: 9000 } });
      deepEqual(
        [fresh.asked, kept.asked, flag.asked],
        [
          [32_768, 32_768, 32_768],
          [65_536, 65_536, 65_536],
          [9000, 9000, 9000],
        ],
      );
      deepEqual([fresh.window, kept.window, flag.window], [32_768, 65_536, 9000]);
    },
  },
  {
    name: "ollamaModel() says once that more was asked for than the model can have",
    run: async () => {
      const server = { models: [{ name: "fake", contextLength: 2048 }] };
      const requests = [userRequest("a"), userRequest("b")];
      const { asked, ends } = await runAll({ server, requests, model: { numCtx: 4096 } });
      deepEqual(
        [asked, noticesOf(ends)],
        [
          [2048, 2048],
          [["fake: a context of 4096 tokens was asked for, but 2048 is its most"], []],
        ],
      );
    },
  },
  {
    name: "ollamaModel() says that the server gave a smaller window, and works with it",
    run: async () => {
      const paths = {
        "/api/ps": (() => {
          let calls = 0;
          return () => ({
            lines: [{ models: calls++ === 0 ? [] : [{ name: "fake", context_length: 4096 }] }],
          });
        })(),
      };
      const { asked, ends, window } = await runAll({
        server: { paths },
        requests: [userRequest("a"), userRequest("b")],
      });
      deepEqual(
        [asked, noticesOf(ends), window],
        [
          [32_768, 32_768],
          [["fake was loaded with a context of 4096 tokens; 32768 were asked for"], []],
          4096,
        ],
      );
    },
  },
  {
    name: "ollamaModel() gets a refusal for a prompt that is too long, not an answer to a part of it",
    run: async () => {
      const { ends } = await runAll({
        server: { window: { defaultContext: 4096 } },
        requests: [longRequest(6000)],
        model: { numCtx: 4096 },
      });
      const [end] = ends;
      deepEqual(end?.type === "error" && [end.failure.reason, end.failure.retryable], [
        "contextOverflow",
        false,
      ]);
    },
  },
  {
    name: "ollamaModel() does not send a prompt that is too long to a server that would cut it",
    run: async () => {
      const { ends, asked } = await runAll({
        server: { version: "0.11.0", window: { defaultContext: 4096, ignoresTruncate: true } },
        requests: [longRequest(6000)],
        model: { numCtx: 4096 },
      });
      const [end] = ends;
      deepEqual([end?.type === "error" && end.failure.reason, asked], ["contextOverflow", []]);
    },
  },
  {
    name: "ollamaModel() reports a prompt that was cut all the same, with its answer",
    run: async () => {
      const { ends } = await runAll({
        server: { window: { defaultContext: 4096, ignoresTruncate: true } },
        requests: [longRequest(1000), longRequest(6000)],
        model: { numCtx: 4096 },
      });
      const [none, said] = noticesOf(ends);
      deepEqual([none, said?.length, CUT.test(said?.[0] ?? "")], [[], 1, true]);
    },
  },
];
