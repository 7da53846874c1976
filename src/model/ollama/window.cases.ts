// The context window: one size for a run, chosen from what is known, and a cut prompt that does not stay unnoticed.

import { deepEqual, equal } from "node:assert/strict";
import type { Case } from "../../testing/cases.ts";
import { collectEvents, userRequest } from "../../testing/collect.ts";
import { type FakeAnswer, textAnswer } from "../../testing/fake-answers.ts";
import { type FakeOllamaOptions, fakeOllama } from "../../testing/fake-ollama.ts";
import { fakeModel } from "../../testing/ollama-fixture.ts";
import type { ModelEvent, ModelRequest } from "../model.ts";
import type { OllamaModelOptions } from "./model.ts";
import { chooseContext, findCut, refusesLongPrompts } from "./window.ts";

const facts = {
  asked: undefined,
  modelContext: 131_072,
  modelfileContext: undefined,
  loadedContext: undefined,
  remote: false,
};

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

export const WINDOW_CASES: readonly Case[] = [
  {
    name: "chooseContext() takes what was asked for, up to what the model was made for",
    run: () =>
      deepEqual(
        [
          chooseContext({ ...facts, asked: 8192, loadedContext: 4096 }),
          chooseContext({ ...facts, asked: 1_000_000 }),
          chooseContext({ ...facts, asked: 512, modelContext: undefined }),
        ],
        [8192, 131_072, 512],
      ),
  },
  {
    name: "chooseContext() keeps what the model is loaded with, if that is enough to work in",
    run: () =>
      deepEqual(
        [16_384, 8192, 262_144, 4096].map((loadedContext) => chooseContext({ ...facts, loadedContext })),
        [16_384, 8192, 262_144, 32_768],
      ),
  },
  {
    name: "chooseContext() asks for 32768, or for all of a smaller model",
    run: () =>
      deepEqual(
        [131_072, 40_960, 2048, undefined].map((modelContext) => chooseContext({ ...facts, modelContext })),
        [32_768, 32_768, 2048, 32_768],
      ),
  },
  {
    name: "chooseContext() asks for what the Modelfile says, if nobody else does",
    run: () =>
      deepEqual(
        [
          chooseContext({ ...facts, modelfileContext: 4096 }),
          chooseContext({ ...facts, modelfileContext: 4096, loadedContext: 4096 }),
          chooseContext({ ...facts, modelfileContext: 4096, loadedContext: 16_384 }),
          chooseContext({ ...facts, modelfileContext: 4096, asked: 8192 }),
        ],
        [4096, 4096, 16_384, 8192],
      ),
  },
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
    name: "chooseContext() keeps a small model as it is loaded",
    run: () => equal(chooseContext({ ...facts, modelContext: 2048, loadedContext: 2048 }), 2048),
  },
  {
    name: "chooseContext() leaves a model that runs elsewhere alone",
    run: () => equal(chooseContext({ ...facts, remote: true, asked: 8192 }), undefined),
  },
  {
    name: "findCut() knows the sizes that a cut leaves",
    run: () =>
      deepEqual(
        [
          [4096, 2050],
          [32_768, 16_387],
          [32_768, 16_386],
          [8192, 4098],
        ].map(([context = 0, counted = 0]) =>
          CUT.test(
            `the server cut the prompt: ${findCut({ context, counted, estimated: context, previous: undefined })}`,
          ),
        ),
        [true, true, true, true],
      ),
  },
  {
    name: "findCut() says how much was lost",
    run: () =>
      equal(
        findCut({ context: 4096, counted: 2050, estimated: 9000, previous: undefined }),
        "it counted 2050 tokens of a prompt of about 9000, in a window of 4096",
      ),
  },
  {
    name: "findCut() takes a count far below a prompt that cannot fit for a cut",
    run: () => {
      const check = { context: 4096, estimated: 9000, previous: undefined };
      deepEqual(
        [4000, 4600].map((counted) => findCut({ ...check, counted }) !== undefined),
        [true, false],
      );
    },
  },
  {
    name: "findCut() takes a count that falls while the prompt grows for a cut",
    run: () =>
      equal(
        findCut({
          context: 4096,
          counted: 2500,
          estimated: 4200,
          previous: { estimated: 4000, counted: 4050 },
        }),
        "it counted 2500 tokens of a prompt of about 4200, in a window of 4096, fewer than the 4050 before",
      ),
  },
  {
    name: "findCut() finds nothing where the prompt fits, or the server does not count",
    run: () => {
      const previous = { estimated: 900, counted: 900 };
      deepEqual(
        [
          findCut({ context: 4096, counted: 0, estimated: 9000, previous: undefined }),
          // What was cached is left out of the count by old servers.
          findCut({ context: 4096, counted: 20, estimated: 1000, previous }),
          findCut({ context: 4096, counted: 2050, estimated: 2000, previous }),
          findCut({ context: 4096, counted: 4000, estimated: 3900, previous }),
        ],
        [undefined, undefined, undefined, undefined],
      );
    },
  },
  {
    name: "refusesLongPrompts() knows the versions",
    run: () =>
      deepEqual(
        ["0.12.6", "0.12.5", "0.13.0", "0.9.9", "1.0.0", "v0.12.10-rc1", "0.0.0", "dev", undefined].map(
          refusesLongPrompts,
        ),
        [true, false, true, false, true, true, true, true, true],
      ),
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
