import { expect, test } from "bun:test";
import { doneChunk, textAnswer } from "./fake-answers.ts";
import { fakeOllama } from "./fake-ollama.ts";

const ask = (url: string, body: object) =>
  fetch(`${url}/api/chat`, {
    method: "POST",
    body: JSON.stringify({ model: "fake", messages: [], ...body }),
  });

test("fakeOllama() gives its scripted answers one after another and records what it was asked", async () => {
  await using server = await fakeOllama({ answers: [textAnswer("one")] });
  server.enqueue(textAnswer("two"));
  const texts = [
    await (await ask(server.url, { n: 1 })).text(),
    await (await ask(server.url, { n: 2 })).text(),
  ];
  expect(texts.map((text) => JSON.parse(text.split("\n")[0] ?? "").message.content)).toEqual(["one", "two"]);
  expect(server.chats().map((request) => request.body["n"])).toEqual([1, 2]);
  const third = await ask(server.url, {});
  expect([third.status, await third.json()]).toEqual([
    400,
    { error: "the fake server has no answer left for this request" },
  ]);
});

test("fakeOllama() knows that the client went away before the first byte", async () => {
  await using server = await fakeOllama({ answers: [{ ...textAnswer("late"), headDelayMs: 60_000 }] });
  const controller = new AbortController();
  const reply = fetch(`${server.url}/api/chat`, {
    method: "POST",
    body: JSON.stringify({ model: "fake" }),
    signal: controller.signal,
  }).catch(() => "aborted");
  const request = await server.chat(0);
  expect(request.isClientGone()).toBe(false);
  controller.abort();
  await request.clientGone;
  expect([request.isClientGone(), await reply]).toEqual([true, "aborted"]);
});

test("fakeOllama() cuts the bytes where it is told to", async () => {
  await using server = await fakeOllama({ answers: [{ lines: [doneChunk()], cuts: [1, 2, 7] }] });
  const reply = await ask(server.url, {});
  expect(JSON.parse(await reply.text())).toEqual(doneChunk());
});

test("fakeOllama() with a window refuses a long prompt, or cuts it in silence where truncation is allowed", async () => {
  await using server = await fakeOllama({ answers: [textAnswer("cut")], window: { defaultContext: 64 } });
  const messages = [{ role: "user", content: "x".repeat(1000) }];
  const refused = await ask(server.url, { messages, truncate: false });
  expect(refused.status).toBe(400);
  expect(JSON.parse(JSON.parse(await refused.text()).error).error.type).toBe("exceed_context_size_error");
  const cut = (await (await ask(server.url, { messages })).text()).trim().split("\n");
  expect(JSON.parse(cut.at(-1) ?? "").prompt_eval_count).toBe(34);
});
