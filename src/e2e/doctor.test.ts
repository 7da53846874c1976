// `agent doctor` finds each broken thing, says the way out, and ends with the code for whose fault it is.

import { expect, test } from "bun:test";
import { type FakeOllama, type FakeOllamaOptions, fakeOllama } from "../testing/fake-ollama.ts";
import { type AgentResult, runAgent } from "../testing/spawn.ts";
import { type TempDir, tempDir } from "../testing/temp.ts";

interface Broken {
  readonly name: string;
  readonly code: number;
  /** The check that fails, and words of what it says. */
  readonly check: string;
  readonly detail: RegExp;
  readonly fix: RegExp | undefined;
  readonly server?: FakeOllamaOptions;
  readonly args?: readonly string[];
  readonly env?: (dir: TempDir, server: FakeOllama) => Readonly<Record<string, string>>;
  /** Files below the directory: the project is `project`, the home `home`. */
  readonly files?: Readonly<Record<string, string>>;
}

const USER_CONFIG = "home/agent/config.jsonc";

const BROKEN: readonly Broken[] = [
  {
    name: "settings that are not JSON",
    code: 78,
    check: "settings",
    detail: /config\.jsonc.*1/,
    fix: undefined,
    files: { [USER_CONFIG]: "{ model: }" },
  },
  {
    name: "a setting of the wrong type",
    code: 78,
    check: "settings",
    detail: /numCtx/,
    fix: undefined,
    files: { [USER_CONFIG]: '{"numCtx": "many"}' },
  },
  {
    name: "a misspelt setting",
    code: 78,
    check: "settings",
    detail: /modle/,
    fix: /agent config/,
    files: { [USER_CONFIG]: '{"modle": "fake"}' },
  },
  {
    name: "a rule that does not compile",
    code: 78,
    check: "rules",
    detail: /1 error in 1 rule: broken/,
    fix: /agent rules check/,
    files: { "project/.agent/rules/broken.md": '---\ncondition: "("\n---\nNo.\n' },
  },
  {
    name: "a store that cannot be made",
    code: 78,
    check: "store",
    detail: /is not a directory/,
    fix: /AGENT_HOME/,
    env: (dir) => ({ AGENT_HOME: dir.write("file", "") }),
  },
  {
    name: "a tool without its program",
    code: 78,
    check: "tool lint",
    detail: /no program "no-such-linter"/,
    fix: /command/,
    files: {
      [USER_CONFIG]: JSON.stringify({
        tools: [
          { name: "lint", description: "lint", parameters: { type: "object" }, command: ["no-such-linter"] },
        ],
      }),
    },
  },
  {
    name: "a hook without its program",
    code: 78,
    check: "hook agent_end",
    detail: /no program "\.\/no-such-hook"|no-such-hook/,
    fix: /command/,
    files: { [USER_CONFIG]: JSON.stringify({ hooks: { agent_end: [{ command: ["/no-such-hook"] }] } }) },
  },
  {
    name: "a host that is no address",
    code: 78,
    check: "host",
    detail: /OLLAMA_HOST: "ftp:\/\/x" is not the address of a server/,
    fix: /127\.0\.0\.1/,
    env: () => ({ OLLAMA_HOST: "ftp://x" }),
  },
  {
    name: "the cloud without a key",
    code: 78,
    check: "host",
    detail: /ollama\.com.*needs a key/,
    fix: /OLLAMA_API_KEY/,
    args: ["--model", "replay:r.jsonl"],
    env: () => ({ OLLAMA_HOST: "ollama.com" }),
    files: { "project/r.jsonl": '{"type":"done"}\n' },
  },
  {
    name: "no server",
    code: 69,
    check: "server",
    detail: /connection refused/,
    fix: /ollama serve/,
    env: () => ({ OLLAMA_HOST: "127.0.0.1:9" }),
  },
  {
    name: "something else at the server's address",
    code: 69,
    check: "server",
    detail: /not as an Ollama server does/,
    fix: /--host/,
    server: {
      paths: { "/api/version": { headers: { "content-type": "text/html" }, lines: ["<h1>hi</h1>"] } },
    },
  },
  {
    name: "a server that does not answer",
    code: 69,
    check: "server",
    detail: /did not answer within 2\.0 s/,
    fix: /log/,
    server: { paths: { "/api/version": { lines: [], headDelayMs: 60_000 } } },
  },
  {
    name: "a server that says no",
    code: 78,
    check: "server",
    detail: /401/,
    fix: /OLLAMA_API_KEY/,
    server: { paths: { "/api/version": { status: 401, lines: ['{"error":"unauthorized"}'] } } },
  },
  {
    name: "a server without models",
    code: 78,
    check: "model",
    detail: /has no models/,
    fix: /ollama pull/,
    server: { models: [] },
  },
  {
    name: "several models and none named",
    code: 78,
    check: "model",
    detail: /has 2: a, b/,
    fix: /--model/,
    server: { models: [{ name: "a" }, { name: "b" }] },
  },
  {
    name: "a model in the settings that the server does not have",
    code: 78,
    check: "model",
    detail: /no model "gone"/,
    fix: /ollama pull gone/,
    files: { [USER_CONFIG]: '{"model": "gone"}' },
  },
  {
    name: "a recording that is not there",
    code: 78,
    check: "model",
    detail: /no such file/,
    fix: undefined,
    args: ["--model", "replay:gone.jsonl"],
  },
  {
    name: "a set-up fault and no server",
    code: 78,
    check: "settings",
    detail: /modle/,
    fix: /agent config/,
    env: () => ({ OLLAMA_HOST: "127.0.0.1:9" }),
    files: { [USER_CONFIG]: '{"modle": "fake"}' },
  },
];

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly fix?: string;
}

async function doctor(setup: Partial<Broken>, output: readonly string[]): Promise<AgentResult> {
  using dir = tempDir();
  await using server = await fakeOllama(setup.server);
  dir.write("project/.keep", "");
  for (const [name, content] of Object.entries(setup.files ?? {})) dir.write(name, content);
  return await runAgent(["doctor", ...output, ...(setup.args ?? [])], {
    cwd: `${dir.path}/project`,
    home: `${dir.path}/home`,
    env: { OLLAMA_HOST: server.url, ...setup.env?.(dir, server) },
  });
}

for (const broken of BROKEN) {
  test(`agent doctor finds ${broken.name}`, async () => {
    const { code, stdout, stderr } = await doctor(broken, ["--output", "json"]);
    const report: { readonly ok: boolean; readonly checks: readonly Check[] } = JSON.parse(stdout);
    const found = report.checks.find((check) => !check.ok && check.name === broken.check);
    expect([code, report.ok, found?.name]).toEqual([broken.code, false, broken.check]);
    expect(found?.detail).toMatch(broken.detail);
    if (broken.fix !== undefined) expect(found?.fix).toMatch(broken.fix);
    expect(stderr).toContain(broken.check);
    const text = await doctor(broken, []);
    expect([text.code, text.stdout.includes(`FAIL  ${broken.check} `)]).toEqual([broken.code, true]);
  }, 20_000);
}

test("agent doctor says what is in place, one line a check", async () => {
  const { code, stdout, stderr } = await doctor({ args: ["--model", "fake"] }, []);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => line.slice(0, 6))).toEqual(lines.map(() => "ok    "));
  expect(lines.at(-1)).toBe("ok    model     fake: context 32768; tools, thinking, vision");
  expect(lines.map((line) => line.split(/\s+/)[1])).toEqual([
    "settings",
    "rules",
    "store",
    "sandbox",
    "host",
    "server",
    "model",
  ]);
});

test("agent doctor says what a project's settings lose for want of trust, and finds no fault in it", async () => {
  const files = { "project/.agent/config.jsonc": '{"host": "http://evil.example"}' };
  const { code, stdout } = await doctor({ files }, ["--output", "json"]);
  const report: { readonly checks: readonly Check[] } = JSON.parse(stdout);
  expect([code, report.checks.find((check) => check.name === "trust")?.detail]).toEqual([
    0,
    expect.stringContaining("host ignored"),
  ]);
});

test("agent doctor writes nothing", async () => {
  using dir = tempDir();
  await using server = await fakeOllama();
  dir.write("project/.keep", "");
  const home = `${dir.path}/home`;
  await runAgent(["doctor"], { cwd: `${dir.path}/project`, home, env: { OLLAMA_HOST: server.url } });
  expect(await Array.fromAsync(new Bun.Glob("**/*").scan({ cwd: dir.path, dot: true }))).toEqual([
    "project/.keep",
  ]);
});

test("agent doctor and agent models refuse a word too many, and look at nothing", async () => {
  using dir = tempDir();
  await using server = await fakeOllama();
  const place = { cwd: dir.path, home: dir.path, env: { OLLAMA_HOST: server.url } };
  const runs = [await runAgent(["doctor", "now"], place), await runAgent(["models", "qwen3"], place)];
  expect([runs.map(({ code }) => code), server.requests.length]).toEqual([[2, 2], 0]);
  expect(runs[0]?.stderr).toContain('doctor takes no arguments, but got "now"');
});
