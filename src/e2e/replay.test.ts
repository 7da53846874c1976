// Recordings through the binary: what `--record` writes, `replay:` gives again, and what is wrong with one is said.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { chunk, errorAnswer, textAnswer, toolAnswer } from "../testing/fake-answers.ts";
import { runPlace } from "../testing/run-command.ts";
import { until } from "../testing/until.ts";

const RETRIED = [
  errorAnswer(503, "busy", { "retry-after": "0" }),
  toolAnswer({ name: "ls", arguments: {} }),
  textAnswer("two ", "files"),
];

test("agent run answers from a recording as from the model that it recorded, without a server", async () => {
  await using place = await runPlace(RETRIED);
  const live = await place.run(["--record", "r.jsonl", "--output", "json", "count"]);
  const asked = place.server.requests.length;
  const replay = await place.run(["--output", "json", "count"], {
    model: "replay:r.jsonl",
    host: "127.0.0.1:9",
  });
  const [first, second] = [live, replay].map(({ stdout }) => JSON.parse(stdout));
  expect([second.text, second.turns, second.stopReason, second.usage]).toEqual([
    "two files",
    first.turns,
    first.stopReason,
    first.usage,
  ]);
  expect([first.text, place.server.requests.length]).toEqual(["two files", asked]);
});

test("agent run gives the very same events from a recording every time", async () => {
  await using place = await runPlace(RETRIED);
  await place.run(["--record", "r.jsonl", "count"]);
  const events = async () => {
    const { stdout } = await place.run(["--output", "jsonl", "count"], { model: "replay:r.jsonl" });
    return stdout
      .split("\n")
      .filter((line) => line.includes('"message_update"'))
      .join("\n");
  };
  const once = await events();
  expect([once.includes("files"), await events()]).toEqual([true, once]);
});

test("agent run records on: a second run adds its answers after those of the first", async () => {
  await using place = await runPlace([textAnswer("one"), textAnswer("two")]);
  await place.run(["--record", "r.jsonl", "a"]);
  await place.run(["--record", "r.jsonl", "b"]);
  const lines = readFileSync(`${place.dir.path}/r.jsonl`, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).type)).toEqual([
    "recording",
    "start",
    "text_delta",
    "done",
    "recording",
    "start",
    "text_delta",
    "done",
  ]);
});

test("agent run leaves whole lines in the recording when it is killed", async () => {
  await using place = await runPlace([{ lines: [chunk({ content: "so far" })], ending: "open" }]);
  const run = place.start(["--record", "r.jsonl", "--output", "live", "a"]);
  await until(() => run.stdout().includes("so far"));
  run.child.kill("SIGKILL");
  await run.result;
  const text = readFileSync(`${place.dir.path}/r.jsonl`, "utf8");
  expect(text.endsWith('{"type":"text_delta","delta":"so far"}\n')).toBe(true);
  const replay = await place.run(["a"], { model: "replay:r.jsonl" });
  expect([replay.code, replay.stdout, replay.stderr.includes("answer 1 is cut off")]).toEqual([65, "", true]);
});

for (const [name, content, code, message] of [
  ["a recording that is not there", undefined, 66, "there is no such file"],
  ["an empty recording", "", 65, "it holds no recorded answer"],
  ["a recording with a bad line", '{"type":"start"}\nnonsense\n{"type":"done"}\n', 65, "line 2 is not JSON"],
  [
    "a recording that is used up",
    '{"type":"toolcall","name":"ls","arguments":{}}\n{"type":"done"}\n',
    65,
    "it holds 1 answer, and one more was asked for",
  ],
] as const) {
  test(`agent run says what is wrong with ${name}`, async () => {
    await using place = await runPlace();
    if (content !== undefined) place.dir.write("r.jsonl", content);
    const run = await place.run(["hi"], { model: "replay:r.jsonl" });
    expect([run.code, run.stdout, run.stderr.includes(message)]).toEqual([code, "", true]);
  });
}

test("agent run says at once that it cannot record", async () => {
  await using place = await runPlace([textAnswer("never asked")]);
  const { code, stderr } = await place.run(["--record", "no/such/dir/r.jsonl", "hi"]);
  expect([code, place.server.chats().length, stderr.includes("Cannot record to")]).toEqual([1, 0, true]);
});
