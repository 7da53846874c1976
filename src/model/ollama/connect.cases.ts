// Where a request goes: past proxies, to either family, after redirects, and with the key for one server only.

import { deepEqual, equal, rejects } from "node:assert/strict";
import { networkInterfaces } from "node:os";
import process from "node:process";
import type { Case } from "../../testing/cases.ts";
import { collectEvents, userRequest } from "../../testing/collect.ts";
import { type FakeAnswer, textAnswer } from "../../testing/fake-answers.ts";
import { type FakeOllama, fakeOllama } from "../../testing/fake-ollama.ts";
import { fakeModel, summarize } from "../../testing/ollama-fixture.ts";
import { parseHost } from "./host.ts";
import { listModels } from "./server.ts";
import { requestFetch } from "./transport.ts";

const REQUEST = userRequest("hi");
/** Containers without IPv6 have no `::1`. */
function isOurs(address: string): boolean {
  return Object.values(networkInterfaces()).some((rows) => rows?.some((row) => row.address === address));
}

const HELLO = ["text 0 hello", "done stop"];

function redirect(status: number, to: string): FakeAnswer {
  return { status, headers: { location: to }, lines: [] };
}

/** Asks a server whose chat answers by a redirect to another; gives the events and the other server. */
async function redirected(
  status: number,
  run: (target: FakeOllama, events: readonly string[]) => void,
): Promise<void> {
  await using target = await fakeOllama({ answers: [textAnswer("hello")] });
  await using server = await fakeOllama({
    paths: { "/api/chat": redirect(status, `${target.url}/api/chat`) },
  });
  const model = fakeModel(server, { apiKey: "secret" });
  run(target, summarize(await collectEvents(model, REQUEST)));
  equal(server.chats()[0]?.headers["authorization"], "Bearer secret");
}

export const CONNECT_CASES: readonly Case[] = [
  {
    // First of all cases: Deno reads the proxy's address at the first request of its own `fetch`, which nothing else
    // here uses.
    name: "ollamaModel() reaches loopback past HTTP_PROXY, where plain fetch does not",
    run: async () => {
      await using proxy = await fakeOllama({ paths: { "/": { lines: ["proxy"] } } });
      await using server = await fakeOllama({ answers: [textAnswer("hello")] });
      const names = ["HTTP_PROXY", "http_proxy"];
      const kept = names.map((name) => process.env[name]);
      for (const name of names) process.env[name] = proxy.url;
      try {
        deepEqual(summarize(await collectEvents(fakeModel(server), REQUEST)), HELLO);
        equal(proxy.requests.length, 0);
        await (await fetch(`${server.url}/api/version`)).text();
        equal(
          proxy.requests.length,
          1,
          "plain fetch does not use the proxy here, so this test proves nothing",
        );
      } finally {
        names.forEach((name, index) => {
          const value = kept[index];
          if (value === undefined) delete process.env[name];
          else process.env[name] = value;
        });
      }
    },
  },
  ...["127.0.0.1", "::1"].filter(isOurs).map((address) => ({
    name: `ollamaModel() finds localhost at ${address}`,
    run: async () => {
      await using server = await fakeOllama({ answers: [textAnswer("hello")], host: address });
      const host = parseHost(`localhost:${server.port}`);
      const model = fakeModel(server, { host, apiKey: "secret" });
      deepEqual(summarize(await collectEvents(model, REQUEST)), HELLO);
      equal(server.chats()[0]?.headers["authorization"], "Bearer secret");
    },
  })),
  {
    name: "ollamaModel() keeps the path of its host",
    run: async () => {
      await using server = await fakeOllama();
      const host = parseHost(`${server.url}/ollama/`);
      await collectEvents(fakeModel(server, { host }), REQUEST);
      equal(
        server.requests.every((request) => request.path.startsWith("/ollama/api/")),
        true,
      );
    },
  },
  {
    name: "ollamaModel() sends the key as a bearer token, and none without one",
    run: async () => {
      await using server = await fakeOllama({ answers: [textAnswer("hello"), textAnswer("hello")] });
      await collectEvents(fakeModel(server, { apiKey: "secret" }), REQUEST);
      await collectEvents(fakeModel(server), REQUEST);
      deepEqual(
        server.chats().map((request) => request.headers["authorization"]),
        ["Bearer secret", undefined],
      );
    },
  },
  {
    name: "requestFetch() sends no key but its own, whatever the client library adds",
    run: async () => {
      await using server = await fakeOllama();
      const { signal } = new AbortController();
      const options = {
        host: parseHost(server.url),
        apiKey: undefined,
        model: "fake",
        signal,
        streaming: false,
      };
      const headers = { Authorization: "Bearer of the environment" };
      await (await requestFetch(options)(`${server.url}/api/version`, { headers })).text();
      equal(server.requests[0]?.headers["authorization"], undefined);
    },
  },
  {
    name: "ollamaModel() sends the user and password of the address",
    run: async () => {
      await using server = await fakeOllama({ answers: [textAnswer("hello")] });
      const host = parseHost(server.url.replace("http://", "http://me:pw@"));
      await collectEvents(fakeModel(server, { host }), REQUEST);
      equal(server.chats()[0]?.headers["authorization"], `Basic ${btoa("me:pw")}`);
    },
  },
  ...[301, 302, 303].map((status) => ({
    name: `ollamaModel() refuses the redirect ${status}, which would turn the question into another one`,
    run: () =>
      redirected(status, (target, events) => {
        deepEqual([events, target.requests.length], [["error failed"], 0]);
      }),
  })),
  ...["file:///etc/passwd", "data:text/plain,%7B%22done%22%3Atrue%7D", "http://[::bad", "blob:x"].map(
    (to) => ({
      name: `ollamaModel() refuses a redirect to ${to}`,
      run: async () => {
        await using server = await fakeOllama({ paths: { "/api/chat": redirect(307, to) } });
        const end = (await collectEvents(fakeModel(server), REQUEST)).at(-1);
        deepEqual(end?.type === "error" && [end.failure.kind, end.failure.message.includes("no address")], [
          "failed",
          true,
        ]);
      },
    }),
  ),
  ...[307, 308].map((status) => ({
    name: `ollamaModel() follows the redirect ${status}, but the key stays with the server it is for`,
    run: () =>
      redirected(status, (target, events) => {
        const [request] = target.chats();
        deepEqual([events, request?.method, request?.headers["authorization"]], [HELLO, "POST", undefined]);
        equal(request?.body["model"], "fake");
      }),
  })),
  {
    name: "ollamaModel() gives up on redirects that go round",
    run: async () => {
      await using server = await fakeOllama({ paths: { "/api/chat": redirect(307, "/api/chat") } });
      deepEqual(summarize(await collectEvents(fakeModel(server), REQUEST)), ["error failed"]);
      equal(server.chats().length, 6);
    },
  },
  {
    name: "listModels() names the server that fails, where the one that was asked redirects to it",
    run: async () => {
      const broken = { status: 500, lines: ['{"error":"broken"}'] };
      await using target = await fakeOllama({ paths: { "/api/tags": broken } });
      for (const [to, why] of [
        [target.url, "broken"],
        ["http://127.0.0.1:9", "connection refused"],
      ] as const) {
        await using server = await fakeOllama({ paths: { "/api/tags": redirect(302, `${to}/api/tags`) } });
        const asked = { host: parseHost(server.url), apiKey: undefined };
        await rejects(
          listModels(asked, new AbortController().signal),
          ({ message }: Error) =>
            message.includes(`${to} (where ${server.url} redirects to)`) && message.endsWith(`: ${why}`),
        );
      }
    },
  },
];
