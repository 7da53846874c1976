// Kinds of fault that models and their servers are known for, through the binary: none may reach the result.

import { expect, test } from "bun:test";
import {
  chunk,
  doneChunk,
  errorAnswer,
  type FakeAnswer,
  textAnswer,
  toolAnswer,
} from "../testing/fake-answers.ts";
import type { FakeRequest } from "../testing/fake-ollama.ts";
import { runPlace } from "../testing/run-command.ts";

const LS = { name: "ls", arguments: {} };

/** Messages of a chat request, as it was sent. */
function messagesOf(request: FakeRequest | undefined): readonly Record<string, unknown>[] {
  const messages: unknown = request?.body["messages"];
  return Array.isArray(messages) ? messages : [];
}

function lastOf(request: FakeRequest | undefined): Record<string, unknown> | undefined {
  return messagesOf(request).at(-1);
}

/** The result of a tool call written as text, or in any other form, is in the second request. */
async function runsTheTool(answer: FakeAnswer): Promise<void> {
  await using place = await runPlace([answer, textAnswer("done")]);
  place.dir.write("found.txt", "");
  expect(await place.run(["look"])).toMatchObject({ code: 0, stdout: "done\n" });
  expect(lastOf(place.server.chats()[1])).toMatchObject({
    role: "tool",
    tool_name: "ls",
    content: expect.stringContaining("found.txt"),
  });
}

test("agent run says on stderr that the server cut the prompt, and that its window is smaller than asked for", async () => {
  const window = { defaultContext: 4096, maxContext: 4096, ignoresTruncate: true };
  await using place = await runPlace([textAnswer("an answer to a part")], { window });
  const { code, stdout, stderr } = await place.run(["-"], { stdin: "x".repeat(24_000) });
  expect([code, stdout]).toEqual([0, "an answer to a part\n"]);
  expect(stderr).toContain(
    "agent: the server cut the prompt, so the answer rests on a part of it: it counted 2050 tokens",
  );
  expect(stderr).toContain("agent: fake was loaded with a context of 4096 tokens; 32768 were asked for\n");
});

test("agent run ends with the sizes when the prompt does not fit", async () => {
  await using place = await runPlace([textAnswer("never asked")], { window: { defaultContext: 4096 } });
  const { code, stdout, stderr } = await place.run(["--num-ctx", "4096", "-"], { stdin: "x".repeat(24_000) });
  expect([code, stdout, /context window: \d+ tokens for 4096/.test(stderr)]).toEqual([1, "", true]);
});

test("agent run asks for the same num_ctx in every turn", async () => {
  await using place = await runPlace([toolAnswer(LS), toolAnswer(LS), textAnswer("done")]);
  expect((await place.run(["look"])).code).toBe(0);
  expect(place.server.chats().map((request) => request.body["options"])).toMatchObject([
    { num_ctx: 32_768 },
    { num_ctx: 32_768 },
    { num_ctx: 32_768 },
  ]);
});

test("agent run bounds every answer, so that repetition cannot run away", async () => {
  await using place = await runPlace([textAnswer("done")]);
  await place.run(["hi"]);
  expect(place.server.chats()[0]?.body["options"]).toMatchObject({ num_predict: 16_384 });
  expect(place.server.chats()[0]?.body).toMatchObject({ truncate: false, shift: false });
});

test("agent run runs a tool call that the model wrote as text", () =>
  runsTheTool(textAnswer('{"name": "ls", ', '"arguments": {}}')));

test("agent run runs a tool call that came with the last line", () =>
  runsTheTool({
    lines: [doneChunk({ message: { role: "assistant", content: "", tool_calls: [{ function: LS }] } })],
  }));

test("agent run runs a tool call whose arguments are a JSON text", () =>
  runsTheTool(toolAnswer({ name: "ls", arguments: '{"path": "."}' })));

test("agent run prints JSON that names no offered tool as the answer that it is", async () => {
  const text = '{"name": "rm", "arguments": {"path": "/"}}';
  await using place = await runPlace([textAnswer(text)]);
  expect(await place.run(["hi"])).toMatchObject({ code: 0, stdout: `${text}\n` });
});

test("agent run coerces arguments of the wrong type by the tool's schema", async () => {
  await using place = await runPlace([
    toolAnswer({ name: "read", arguments: { path: "a.txt", offset: "2", limit: "1" } }),
    textAnswer("done"),
  ]);
  place.dir.write("a.txt", "one\ntwo\nthree\n");
  expect((await place.run(["read it"])).code).toBe(0);
  const result = String(lastOf(place.server.chats()[1])?.["content"]);
  expect([result.includes("two"), result.includes("one")]).toEqual([true, false]);
});

test("agent run answers a call without a tool's name, a bounded number of times", async () => {
  const nameless = toolAnswer({ name: "", arguments: {} });
  await using place = await runPlace([nameless, textAnswer("done")]);
  expect(await place.run(["hi"])).toMatchObject({ code: 0, stdout: "done\n" });
  expect(lastOf(place.server.chats()[1])).toMatchObject({ role: "tool" });
  await using stubborn = await runPlace(Array.from({ length: 60 }, () => nameless));
  const { code } = await stubborn.run(["hi"]);
  expect([code, stubborn.server.chats().length < 10]).toEqual([1, true]);
});

test("agent run sends thinking and calls back, with results in their order", async () => {
  const both = {
    lines: [
      chunk({ thinking: "I look twice" }),
      chunk({ tool_calls: [{ function: { index: 0, ...LS } }, { function: { index: 0, ...LS } }] }),
      doneChunk(),
    ],
  };
  await using place = await runPlace([both, textAnswer("done")]);
  expect((await place.run(["hi"])).code).toBe(0);
  const [call, first, second] = messagesOf(place.server.chats()[1]).slice(-3);
  const calls = call?.["tool_calls"];
  const ids = Array.isArray(calls) ? calls.map((each) => each.id) : [];
  expect(call).toMatchObject({ role: "assistant", thinking: "I look twice", content: "" });
  expect([first?.["tool_call_id"], second?.["tool_call_id"]]).toEqual(ids);
  expect(new Set(ids).size).toBe(2);
});

test("agent run nudges once after a turn of nothing but thinking, then ends with 5", async () => {
  const empty = { lines: [chunk({ thinking: "hm" }), doneChunk()] };
  await using place = await runPlace([empty, textAnswer("here")]);
  expect(await place.run(["hi"])).toMatchObject({ code: 0, stdout: "here\n" });
  await using silent = await runPlace([empty, empty, textAnswer("never asked")]);
  expect(await silent.run(["hi"])).toMatchObject({ code: 5, stdout: "" });
  expect(silent.server.chats().length).toBe(2);
});

test("agent run keeps thinking that the model wrote into its text out of the answer", async () => {
  await using place = await runPlace([textAnswer("<th", "ink>secret", "</think>\n\n", "42")]);
  expect(await place.run(["--output", "text", "hi"])).toMatchObject({ code: 0, stdout: "42\n" });
  await using lone = await runPlace([textAnswer("secret\n</thi", "nk>\n\n42")]);
  expect(await lone.run(["--output", "text", "hi"])).toMatchObject({ code: 0, stdout: "42\n" });
});

test("agent run does not try again when the quota is used up, but when the server is busy", async () => {
  const spent = errorAnswer(429, "you have reached your weekly usage limit, upgrade for higher limits");
  await using place = await runPlace([spent, textAnswer("never asked")]);
  const { code, stderr } = await place.run(["hi"]);
  expect([code, place.server.chats().length, stderr.includes("quota")]).toEqual([1, 1, true]);
  await using busy = await runPlace([
    errorAnswer(503, "server busy", { "retry-after": "0" }),
    textAnswer("done"),
  ]);
  expect(await busy.run(["hi"])).toMatchObject({ code: 0, stdout: "done\n" });
});

test("agent run never prints the text of an attempt that broke off", async () => {
  const broken = { lines: [chunk({ content: "half of " })], ending: "cut", lineDelayMs: 5 } as const;
  await using place = await runPlace([broken, textAnswer("all of it")]);
  expect(await place.run(["--output", "text", "hi"])).toMatchObject({ code: 0, stdout: "all of it\n" });
});

test("agent run tells the model what was wrong with a call that the server could not read", async () => {
  const bad = errorAnswer(
    500,
    "error parsing tool call: raw='{\"path\": ', err=unexpected end of JSON input",
  );
  await using place = await runPlace([bad, textAnswer("done")]);
  expect(await place.run(["hi"])).toMatchObject({ code: 0, stdout: "done\n" });
  expect(lastOf(place.server.chats()[1])).toMatchObject({
    role: "user",
    content: expect.stringContaining("unexpected end of JSON input"),
  });
});
