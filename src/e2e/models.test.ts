// `agent models`: the table, its JSON, and what happens when there is nothing to list.

import { expect, test } from "bun:test";
import { type FakeOllamaOptions, fakeOllama } from "../testing/fake-ollama.ts";
import { type AgentResult, runAgent } from "../testing/spawn.ts";
import { tempDir } from "../testing/temp.ts";

const MODELS: FakeOllamaOptions = {
  models: [
    { name: "qwen3:8b", contextLength: 40_960, loadedContext: 8192 },
    { name: "tiny", contextLength: 2048, capabilities: ["completion"] },
  ],
};

async function models(options: FakeOllamaOptions, args: readonly string[] = []): Promise<AgentResult> {
  using dir = tempDir();
  await using server = await fakeOllama(options);
  return await runAgent(["models", "--host", server.url, ...args], { cwd: dir.path, home: dir.path });
}

test("agent models prints a table", async () => {
  expect(await models(MODELS)).toMatchObject({
    code: 0,
    stdout: [
      "NAME      CONTEXT  LOADED  CAPABILITIES",
      "qwen3:8b  40960    yes     completion,tools,thinking,vision",
      "tiny      2048     no      completion",
      "",
    ].join("\n"),
    stderr: "",
  });
});

test("agent models --output json prints one document", async () => {
  const { code, stdout } = await models(MODELS, ["--output", "json"]);
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    [
      {
        name: "qwen3:8b",
        contextLength: 40_960,
        capabilities: ["completion", "tools", "thinking", "vision"],
        loaded: true,
      },
      { name: "tiny", contextLength: 2048, capabilities: ["completion"], loaded: false },
    ],
  ]);
});

test("agent models lists a model whose details cannot be had", async () => {
  const paths = { "/api/show": { status: 500, lines: ['{"error":"bad manifest"}'] } };
  const { code, stdout } = await models({ ...MODELS, paths }, ["--output", "json"]);
  expect([code, JSON.parse(stdout)[1]]).toEqual([
    0,
    { name: "tiny", contextLength: null, capabilities: [], loaded: false },
  ]);
});

test("agent models says that there are none", async () => {
  expect(await models({ models: [] })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringContaining("ollama pull"),
  });
  expect(await models({ models: [] }, ["--output", "json"])).toMatchObject({ code: 0, stdout: "[]\n" });
});

test("agent models ends with 69 when nobody answers, and JSON says so too", async () => {
  using dir = tempDir();
  const { code, stdout, stderr } = await runAgent(["models", "--host", "127.0.0.1:9", "--output", "json"], {
    cwd: dir.path,
    home: dir.path,
  });
  expect([code, JSON.parse(stdout).error.kind]).toEqual([69, "unavailable"]);
  expect(stderr).toContain("connection refused");
});

test("agent models ends with 1 when the server says no, and with 2 for a host that is none", async () => {
  const paths = { "/api/tags": { status: 401, lines: ['{"error":"unauthorized"}'] } };
  expect((await models({ paths })).code).toBe(1);
  using dir = tempDir();
  expect((await runAgent(["models", "--host", "ftp://x"], { cwd: dir.path, home: dir.path })).code).toBe(2);
});

for (const [says, code] of [
  ["null", 69],
  ["[]", 69],
  ['"models"', 69],
  ["{}", 69],
  ['{"models":{}}', 69],
  ['{"models":null}', 0],
  ['{"models":[]}', 0],
] as const) {
  test(`agent models, run and doctor agree on a server that lists ${says}`, async () => {
    using dir = tempDir();
    await using server = await fakeOllama({ paths: { "/api/tags": { lines: [says] } } });
    const ask = (...args: readonly string[]) =>
      runAgent([...args, "--host", server.url], { cwd: dir.path, home: dir.path });
    const listed = await ask("models", "--output", "json");
    const run = await ask("run", "--retries", "0", "hi");
    const doctor = await ask("doctor");
    const none = code === 0;
    expect([listed.code, run.code, doctor.code]).toEqual([code, none ? 78 : 69, none ? 78 : 69]);
    if (none) expect(listed.stdout).toBe("[]\n");
    else expect(run.stderr).toContain("answers, but not as an Ollama server does\n");
  });
}
