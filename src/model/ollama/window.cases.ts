// The context window as a decision: which size to ask for, and what speaks for a prompt that was cut.

import { deepEqual, equal } from "node:assert/strict";
import type { Case } from "../../testing/cases.ts";
import { chooseContext, findCut, refusesLongPrompts } from "./window.ts";

const facts = {
  asked: undefined,
  modelContext: 131_072,
  modelfileContext: undefined,
  loadedContext: undefined,
  remote: false,
};

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
        ].map(
          ([context = 0, counted = 0]) =>
            findCut({ context, counted, estimated: context, previous: undefined }) !== undefined,
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
    name: "findCut() takes an answer to a prompt that cannot have fitted, by the count of the one before, for a cut",
    run: () => {
      const previous = { estimated: 2000, counted: 3000 };
      deepEqual(
        [3500, 2900].map(
          (estimated) => findCut({ context: 4096, counted: 4000, estimated, previous }) !== undefined,
        ),
        [true, false],
      );
    },
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
];
