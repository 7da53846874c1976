// Recordings as files: what is read leniently, what is refused, and that every refusal names its line.

import { deepEqual, rejects, throws } from "node:assert/strict";
import { AppError } from "../base/errors.ts";
import type { Case } from "../testing/cases.ts";
import { collectEvents, userRequest } from "../testing/collect.ts";
import { contentOf, summarize } from "../testing/ollama-fixture.ts";
import { tempDir } from "../testing/temp.ts";
import { parseRecording } from "./recording.ts";
import { replayModel } from "./replay.ts";

const REQUEST = userRequest("hi");
const NEVER = new AbortController().signal;

/** Plays `count` answers of a recording with these lines. */
async function play(lines: readonly string[], count = 1): Promise<readonly (readonly string[])[]> {
  using dir = tempDir();
  const model = await replayModel(dir.write("r.jsonl", lines.join("\n")), NEVER);
  const answers: (readonly string[])[] = [];
  for (let index = 0; index < count; index++) answers.push(summarize(await collectEvents(model, REQUEST)));
  return answers;
}

const HELLO = '{"type":"text_delta","delta":"hello"}';
const DONE = '{"type":"done"}';

/** Lines, and what is wrong with the recording. */
const REFUSED: readonly (readonly [lines: readonly string[], message: string])[] = [
  [[], "it holds no recorded answer"],
  [["", "  "], "it holds no recorded answer"],
  [['{"type":"recording","v":1}'], "it holds no recorded answer"],
  [[HELLO, "{oops", DONE], "line 2 is not JSON"],
  [[HELLO, "7", DONE], "line 2 is not a JSON object"],
  [["", "[]", DONE], "line 2 is not a JSON object"],
  [["{}", DONE], 'line 1 has no "type"'],
  [['{"type":"text"}', DONE], 'line 1 has the unknown type "text"'],
  [['{"type":"text_delta"}', DONE], 'line 1 ("text_delta") has no "delta"'],
  [['{"type":"thinking_delta","delta":1}', DONE], 'line 1 ("thinking_delta") has no "delta"'],
  [['{"type":"toolcall_start"}', DONE], 'line 1 ("toolcall_start") has no "name"'],
  [['{"type":"toolcall"}', DONE], 'line 1 ("toolcall") has no "name"'],
  [["<html>", DONE], "line 1 is not JSON"],
];

export const REPLAY_CASES: readonly Case[] = [
  ...REFUSED.map(([lines, message]) => ({
    name: `parseRecording() refuses ${JSON.stringify(lines.join(" ⏎ "))}: ${message}`,
    run: () =>
      throws(
        () => parseRecording(lines.join("\n"), "r.jsonl"),
        (error: unknown) =>
          error instanceof AppError &&
          error.kind === "input" &&
          error.message === `Cannot replay "r.jsonl": ${message}`,
      ),
  })),
  {
    name: "replayModel() plays the shortest recording there is",
    run: async () => deepEqual(await play([HELLO, DONE]), [["text 0 hello", "done stop"]]),
  },
  {
    name: "replayModel() plays a call in one line, and one in pieces",
    run: async () =>
      deepEqual(
        await play([
          '{"type":"toolcall","name":"read","arguments":{"path":"a"}}',
          '{"type":"toolcall_start","name":"ls"}',
          '{"type":"toolcall_delta","delta":"{\\"path\\""}',
          '{"type":"toolcall_delta","delta":":\\"b\\"}"}',
          '{"type":"toolcall_end"}',
          DONE,
        ]),
        [['call 0 read {"path":"a"}', 'call 1 ls {"path":"b"}', "done toolUse"]],
      ),
  },
  {
    name: "replayModel() gives calls without an id one that is the same every time",
    run: async () => {
      using dir = tempDir();
      const path = dir.write(
        "r.jsonl",
        '{"type":"toolcall","name":"a"}\n{"type":"toolcall","name":"b"}\n{"type":"done"}',
      );
      const ids = async () =>
        (await collectEvents(await replayModel(path, NEVER), REQUEST)).flatMap((event) =>
          event.type === "toolcall_end" ? [event.toolCall.id] : [],
        );
      deepEqual(
        [await ids(), await ids()],
        [
          ["call_1_1", "call_1_2"],
          ["call_1_1", "call_1_2"],
        ],
      );
    },
  },
  {
    name: "replayModel() reads CRLF, a byte-order mark, blank lines and a last line without newline",
    run: async () => deepEqual(await play([`\ufeff${HELLO}\r`, "\r", DONE]), [["text 0 hello", "done stop"]]),
  },
  {
    name: "replayModel() fails when more is asked for than was recorded",
    run: async () =>
      deepEqual(await play([HELLO, DONE], 3), [
        ["text 0 hello", "done stop"],
        ["error input"],
        ["error input"],
      ]),
  },
  {
    name: "replayModel() gives what there is of an answer that is cut off, and says so",
    run: async () => {
      using dir = tempDir();
      for (const tail of ["", '\n{"type":"text_d']) {
        const model = await replayModel(dir.write("r.jsonl", `${HELLO}${tail}`), NEVER);
        const events = await collectEvents(model, REQUEST);
        const end = events.at(-1);
        deepEqual([summarize(events), contentOf(events)], [["text 0 hello", "error input"], ["text hello"]]);
        deepEqual(
          end?.type === "error" && end.failure.message,
          `Cannot replay "r.jsonl": answer 1 is cut off at line ${tail === "" ? 1 : 2}`,
        );
      }
    },
  },
  {
    name: "replayModel() waits where the recording says so, and an abort ends the wait",
    run: async () => {
      using dir = tempDir();
      const model = await replayModel(
        dir.write("r.jsonl", `${HELLO}\n{"type":"text_delta","delta":"late","delayMs":60000}\n${DONE}`),
        NEVER,
      );
      const controller = new AbortController();
      const events = [];
      for await (const event of model.stream(REQUEST, controller.signal)) {
        events.push(event);
        if (event.type === "text_delta") setTimeout(() => controller.abort(), 10);
      }
      deepEqual(summarize(events), ["text 0 hello", "error cancelled"]);
    },
  },
  {
    name: "replayModel() says that there is no such file",
    run: () =>
      rejects(
        replayModel("/nowhere/r.jsonl", NEVER),
        (error: unknown) =>
          error instanceof AppError &&
          error.kind === "notFound" &&
          error.message === 'Cannot replay "/nowhere/r.jsonl": there is no such file',
      ),
  },
  {
    name: "replayModel() says that it cannot read a directory",
    run: async () => {
      using dir = tempDir();
      await rejects(
        replayModel(dir.path, NEVER),
        (error: unknown) => error instanceof AppError && error.kind === "input",
      );
    },
  },
];
