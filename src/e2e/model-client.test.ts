// The client library's traps, through the binary: nothing of it reaches stdout, no connection stays open, and the
// process ends.

import { expect, test } from "bun:test";
import { chunk, doneChunk, type FakeAnswer, textAnswer } from "../testing/fake-answers.ts";
import { fakeOllama } from "../testing/fake-ollama.ts";
import { runPlace } from "../testing/run-command.ts";

const ONCE = ["--retries", "0", "hi"];
const HTML = { "content-type": "text/html" };

const BROKEN: readonly (readonly [what: string, answer: FakeAnswer])[] = [
  ["a malformed line", { lines: [chunk({ content: "a" }), "{oops\n", doneChunk()] }],
  ["null as a line", { lines: [chunk({ content: "a" }), "null\n", doneChunk()] }],
  ["HTML with status 200", { headers: HTML, lines: ["<!doctype html><p>hi"] }],
  ["an empty body", { lines: [] }],
  ["an end without done", { lines: [chunk({ content: "a" })] }],
  ["an error line that is an object", { lines: [{ error: { message: "no room" } }] }],
  ["an HTTP error without JSON", { status: 500, headers: HTML, lines: ["<h1>oops</h1>"] }],
  ["a reset in mid-stream", { lines: [chunk({ content: "a" })], ending: "reset", lineDelayMs: 5 }],
];

for (const [what, answer] of BROKEN) {
  test(`agent run ends with 69 after ${what}, and stdout stays empty`, async () => {
    await using place = await runPlace([answer]);
    const { code, stdout, stderr } = await place.run(ONCE);
    expect([code, stdout]).toEqual([69, ""]);
    for (const line of stderr.trimEnd().split("\n")) expect(line).toStartWith("agent: ");
    expect(stderr).not.toContain("[object Object]");
  });
}

test("agent run ends although the server keeps the connection open after done", async () => {
  const answer = { lines: [chunk({ content: "all" }), doneChunk()], ending: "open" } as const;
  await using place = await runPlace([answer]);
  expect(await place.run(["hi"])).toMatchObject({ code: 0, stdout: "all\n" });
  await (await place.server.chat(0)).clientGone;
});

for (const [when, answer] of [
  ["before the first byte", { ...textAnswer("late"), headDelayMs: 60_000 }],
  ["in mid-stream", { lines: [chunk({ content: "so far" })], ending: "open" }],
] as const) {
  test(`agent run closes the connection and ends when it is interrupted ${when}`, async () => {
    await using place = await runPlace([answer]);
    const run = place.start(["hi"]);
    const asked = await place.server.chat(0);
    run.child.kill("SIGINT");
    await asked.clientGone;
    expect((await run.result).code).toBe(130);
  });
}

test("agent run puts UTF-8 together when it is cut between any two bytes, and reads a line of 5 MB", async () => {
  const long = "x".repeat(5_000_000);
  const text = `naïve 😀 日本 ${long}`;
  const cuts = [...Array.from({ length: 200 }, () => 1), 65_536];
  await using place = await runPlace([{ ...textAnswer(text), cuts }]);
  const { code, stdout } = await place.run(["--max-tokens", "1000000", "hi"]);
  expect([code, stdout.length, stdout.startsWith("naïve 😀 日本 x")]).toEqual([0, text.length + 1, true]);
});

test("agent run reaches loopback past HTTP_PROXY", async () => {
  await using proxy = await fakeOllama();
  const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"];
  await using place = await runPlace([textAnswer("done")]);
  const env = Object.fromEntries(names.map((name) => [name, proxy.url]));
  expect(await place.run(["hi"], { env })).toMatchObject({ code: 0, stdout: "done\n" });
  expect(proxy.requests.length).toBe(0);
});

test("agent run reaches another machine through HTTP_PROXY, but not where NO_PROXY names it", async () => {
  await using place = await runPlace([textAnswer("through the proxy")]);
  const env = { HTTP_PROXY: place.server.url, http_proxy: place.server.url };
  const host = "http://ollama.invalid";
  expect(await place.run(["hi"], { host, env })).toMatchObject({ code: 0, stdout: "through the proxy\n" });
  expect(place.server.chats()[0]?.headers["host"]).toStartWith("ollama.invalid");
  const direct = await place.run(["--retries", "0", "hi"], {
    host,
    env: { ...env, NO_PROXY: "ollama.invalid" },
  });
  expect([direct.code, place.server.chats().length]).toEqual([69, 1]);
});

test("agent run sends the key to its host, and to nobody that the host redirects to", async () => {
  await using target = await fakeOllama({ answers: [textAnswer("done")] });
  const redirect = { status: 307, headers: { location: `${target.url}/api/chat` }, lines: [] };
  await using place = await runPlace([], { paths: { "/api/chat": redirect } });
  const env = { OLLAMA_API_KEY: "secret" };
  expect(await place.run(["hi"], { env })).toMatchObject({ code: 0, stdout: "done\n" });
  expect([
    place.server.chats()[0]?.headers["authorization"],
    target.chats()[0]?.headers["authorization"],
  ]).toEqual(["Bearer secret", undefined]);
});

test("agent run refuses a redirect that would turn its POST into a GET", async () => {
  const redirect = { status: 301, headers: { location: "/elsewhere" }, lines: [] };
  await using place = await runPlace([], { paths: { "/api/chat": redirect } });
  const { code, stderr } = await place.run(["hi"]);
  expect([code, stderr.includes("redirects to")]).toEqual([1, true]);
});

test("agent run finds a server on localhost, and one that OLLAMA_HOST names", async () => {
  await using place = await runPlace([textAnswer("one"), textAnswer("two")]);
  const host = `localhost:${place.server.port}`;
  expect(await place.run(["hi"], { host })).toMatchObject({ code: 0, stdout: "one\n" });
  expect(await place.run(["hi"], { host: `"${place.server.url}/"` })).toMatchObject({
    code: 0,
    stdout: "two\n",
  });
});
