// Which model answers, at which server, with which options: flag, session, settings, and the only one there is.

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { errorAnswer, textAnswer } from "../testing/fake-answers.ts";
import { type FakeOllama, type FakeOllamaOptions, fakeOllama } from "../testing/fake-ollama.ts";
import { type AgentResult, runAgent } from "../testing/spawn.ts";
import { type TempDir, tempDir } from "../testing/temp.ts";

interface Place extends AsyncDisposable {
  readonly server: FakeOllama;
  readonly dir: TempDir;
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<AgentResult>;
  /** The `model` of every chat request so far. */
  asked(): readonly unknown[];
}

const MODELS = { models: [{ name: "a" }, { name: "b" }, { name: "c" }] };

async function place(options: FakeOllamaOptions = MODELS, settings: object = {}): Promise<Place> {
  const answers = Array.from({ length: 4 }, () => textAnswer("ok"));
  const server = await fakeOllama({ answers, ...options });
  const dir = tempDir();
  const cwd = `${dir.path}/project`;
  dir.write("project/.keep", "");
  dir.write("home/agent/config.jsonc", JSON.stringify(settings));
  return {
    server,
    dir,
    run: (args, env = { OLLAMA_HOST: server.url }) =>
      runAgent(["run", ...args], { cwd, home: `${dir.path}/home`, env }),
    asked: () => server.chats().map((request) => request.body["model"]),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

/** A session that a model of `provider` answered in. */
function writeSession(at: Place, provider: string, model: string): string {
  const timestamp = "2026-01-01T00:00:00.000Z";
  const entry = (id: string, parentId: string | null, more: object) => ({ id, parentId, timestamp, ...more });
  const lines = [
    { type: "session", version: 3, id: "019b0000-0000-7000-8000-000000000000", timestamp, cwd: "/" },
    entry("00000001", null, { type: "model_change", provider, modelId: model }),
    entry("00000002", "00000001", {
      type: "message",
      message: { role: "user", content: "hi", timestamp: 0 },
    }),
  ];
  return at.dir.write("s.jsonl", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

test("agent run uses the only model of the server, and says so", async () => {
  await using at = await place({ models: [{ name: "only" }] });
  const { code, stderr } = await at.run(["hi"]);
  expect([code, at.asked()]).toEqual([0, ["only"]]);
  expect(stderr).toContain(`agent: model: only (the only one at ${at.server.url})\n`);
});

test("agent run asks again which models there are, while the server is not ready", async () => {
  let asked = 0;
  const tags = () => {
    asked += 1;
    return asked === 1 ? errorAnswer(503, "starting") : { lines: [{ models: [{ name: "fake" }] }] };
  };
  await using at = await place({ paths: { "/api/tags": tags } }, { retry: { baseDelayMs: 1 } });
  const { code, stderr } = await at.run(["hi"]);
  expect([code, at.asked()]).toEqual([0, ["fake"]]);
  expect(stderr).toContain("answered 503: starting; retry 1 of 3 in ");
  const away = await at.run(["--retries", "1", "hi"], { OLLAMA_HOST: "127.0.0.1:9" });
  expect([away.code, away.stderr.match(/; retry /g)?.length]).toEqual([69, 1]);
});

test("agent run ends with 78 and the list when several models are there and none is named", async () => {
  await using at = await place();
  const { code, stderr } = await at.run(["hi"]);
  expect([code, at.asked()]).toEqual([78, []]);
  expect(stderr).toContain("has 3: a, b, c\nagent: Choose one with --model");
});

test("agent run ends with 78 when the server has no model", async () => {
  await using at = await place({ models: [] });
  const { code, stderr } = await at.run(["hi"]);
  expect([code, stderr.includes("ollama pull")]).toEqual([78, true]);
});

test("agent run takes --model before the session's, the session's before the settings'", async () => {
  await using at = await place(MODELS, { model: "c" });
  await at.run(["hi"]);
  await at.run(["--session", writeSession(at, "ollama", "b"), "hi"]);
  await at.run(["--session", writeSession(at, "ollama", "b"), "--model", "a", "hi"]);
  await at.run(["--session", writeSession(at, "anthropic", "claude"), "hi"]);
  expect(at.asked()).toEqual(["c", "b", "a", "c"]);
});

test("agent run takes --host before the settings' host, that before OLLAMA_HOST", async () => {
  await using flag = await place();
  await using settings = await place();
  await using env = await place(MODELS, { host: settings.server.url });
  const variable = { OLLAMA_HOST: env.server.url };
  await env.run(["--model", "a", "--host", flag.server.url, "hi"], variable);
  await env.run(["--model", "b", "hi"], variable);
  writeFileSync(`${env.dir.path}/home/agent/config.jsonc`, "{}");
  await env.run(["--model", "c", "hi"], variable);
  expect([flag.asked(), settings.asked(), env.asked()]).toEqual([["a"], ["b"], ["c"]]);
});

test("agent run takes --num-ctx and --think before the settings, and keep_alive from them", async () => {
  await using at = await place(MODELS, { model: "a", numCtx: 9000, think: "low", keepAlive: "10m" });
  await at.run(["hi"]);
  await at.run(["--num-ctx", "10000", "--think", "off", "hi"]);
  const sent = at.server.chats().map(({ body }) => [body["think"], body["keep_alive"], body["options"]]);
  expect(sent).toEqual([
    ["low", "10m", { num_ctx: 9000, num_predict: 4500 }],
    [false, "10m", { num_ctx: 10_000, num_predict: 5000 }],
  ]);
});

test("agent run names a bad host by where it came from", async () => {
  await using at = await place(MODELS, { model: "a" });
  const flag = await at.run(["--host", "ftp://x", "hi"]);
  const variable = await at.run(["hi"], { OLLAMA_HOST: "ftp://x" });
  expect([flag.code, variable.code]).toEqual([2, 78]);
  expect(flag.stderr).toContain('--host: "ftp://x" is not the address of a server');
  expect(variable.stderr).toContain('OLLAMA_HOST: "ftp://x" is not the address of a server');
});

test("agent run takes no key that cannot be sent, and does not show it", async () => {
  await using at = await place(MODELS, { model: "a" });
  for (const key of ["secret“key”", "sec\nret", "two words"]) {
    const { code, stderr } = await at.run(["hi"], { OLLAMA_HOST: at.server.url, OLLAMA_API_KEY: key });
    expect([code, stderr.split("\n")[0]]).toEqual([
      78,
      "agent: OLLAMA_API_KEY has a character that no key can have",
    ]);
    expect(stderr).not.toContain("sec");
  }
  expect(at.server.requests).toEqual([]);
});

test("agent run says that the server does not have the model, and how to bring it", async () => {
  await using at = await place();
  const { code, stderr } = await at.run(["--model", "gone", "hi"]);
  expect([code, stderr.includes('has no model "gone"'), stderr.includes("ollama pull gone")]).toEqual([
    66,
    true,
    true,
  ]);
});

test("agent run asks a model without tools without them, with a notice, but not against --tools", async () => {
  await using at = await place({ models: [{ name: "plain", capabilities: ["completion"] }] });
  const silent = await at.run(["hi"]);
  expect([silent.code, at.server.chats()[0]?.body["tools"]]).toEqual([0, undefined]);
  expect(silent.stderr).toContain("takes no tools");
  expect((await at.run(["--tools", "read", "hi"])).code).toBe(78);
});
