// `agent config` through the binary: the merged settings, where each value came from, and what is wrong.

import { expect, test } from "bun:test";
import { runAgent } from "../testing/spawn.ts";
import { type TempDir, tempDir } from "../testing/temp.ts";

function config(dir: TempDir, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  dir.write("project/.git/HEAD", "");
  return runAgent(["config", ...args], { cwd: `${dir.path}/project`, home: dir.path, env });
}

test("config prints every setting with its value and its origin", async () => {
  using dir = tempDir();
  dir.write("agent/config.jsonc", '{\n  "model": "mine",\n  "host": "http://user:password@host:11434"\n}');
  dir.write("project/.agent/config.jsonc", '{ "ttsr": { "repeatGap": 3 }, "host": "http://evil" }');
  dir.write("project/extra.jsonc", '{ "limits": { "maxTime": "90s" } }');
  const { code, stdout, stderr } = await config(dir, ["--config", "extra.jsonc"]);
  expect(code).toBe(0);
  const lines = stdout.split("\n").map((line) => line.replace(/ {2,}/, "  "));
  expect(lines).toContain('model = "mine"  user ~/agent/config.jsonc:2:12');
  expect(lines).toContain('host = "http://…@host:11434"  user ~/agent/config.jsonc:3:11');
  expect(lines).toContain("ttsr.repeatGap = 3  project ~/project/.agent/config.jsonc:1:26");
  expect(lines).toContain('limits.maxTime = "90s"  config ~/project/extra.jsonc:1:26');
  expect(lines).toContain("hooks = {}  default");
  expect(lines).toContain("limits.maxTurns = 50  default");
  expect(lines).toContain("numCtx = (not set: what is loaded, Modelfile, 32768)  default");
  expect(stderr).toContain("warning: ");
  expect(stderr).toContain("host ignored: this project is not trusted");
});

test("config shows what is in force where no file says it, and OLLAMA_HOST as the origin", async () => {
  using dir = tempDir();
  const shown = async (env: Readonly<Record<string, string>>, ...names: readonly string[]) => {
    const { stdout } = await config(dir, [], env);
    const lines = stdout.split("\n").map((line) => line.replace(/ {2,}/, "  "));
    return lines.filter((line) => names.some((name) => line.startsWith(`${name} = `)));
  };
  expect(await shown({}, "host", "permissions.read", "permissions.run", "limits.maxTime")).toEqual([
    'host = "http://127.0.0.1:11434"  default',
    "permissions.read = (not set: the working directory)  default",
    "permissions.run = (not set: nothing)  default",
    "limits.maxTime = (not set: none)  default",
  ]);
  const host = async (text: string) => await shown({ OLLAMA_HOST: text }, "host");
  expect(await host("gpu-box")).toEqual(['host = "gpu-box"  OLLAMA_HOST']);
  expect(await host("me:secret@gpu-box:1")).toEqual(['host = "…@gpu-box:1"  OLLAMA_HOST']);
  const { stdout } = await config(dir, ["--output", "json"], { OLLAMA_HOST: "gpu-box" });
  const { settings, origins } = JSON.parse(stdout);
  expect([settings.host, origins.host]).toEqual([
    "gpu-box",
    { source: "environment", variable: "OLLAMA_HOST" },
  ]);
  dir.write("agent/config.jsonc", '{ "host": "mine" }');
  expect(await host("gpu-box")).toEqual(['host = "mine"  user ~/agent/config.jsonc:1:11']);
});

test("config --output json is one document", async () => {
  using dir = tempDir();
  const file = dir.write("agent/config.jsonc", '{ "model": "mine", "retry": { "attempts": 1 } }');
  const { code, stdout, stderr } = await config(dir, ["--output", "json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { settings, ...rest } = JSON.parse(stdout);
  expect(rest).toEqual({
    origins: {
      model: { source: "user", file, line: 1, column: 12 },
      "retry.attempts": { source: "user", file, line: 1, column: 43 },
    },
    files: [file],
    trusted: false,
    warnings: [],
  });
  expect([settings.model, settings.retry.attempts, settings.limits.maxTurns]).toEqual(["mine", 1, 50]);
});

const BROKEN = '{\n  "limits": { "maxTurns": "many" }\n}';

for (const args of [
  ["config"],
  ["run", "--model", "replay:none", "hi"],
  ["rules", "list"],
  ["handoff", "latest"],
]) {
  test(`agent ${args[0]} ends with 78, file, line and column for a wrong type`, async () => {
    using dir = tempDir();
    dir.write("project/.git/HEAD", "");
    const file = dir.write("agent/config.jsonc", BROKEN);
    const { code, stdout, stderr } = await runAgent(args, { cwd: `${dir.path}/project`, home: dir.path });
    expect({ code, stdout }).toEqual({ code: 78, stdout: "" });
    expect(stderr).toContain(
      `Cannot use settings ${file}:2:27: "limits.maxTurns" must be a whole number, not "many"`,
    );
  });
}

test("config gives 66 for a --config file that is not there", async () => {
  using dir = tempDir();
  const { code, stderr } = await config(dir, ["--config", "no.jsonc"]);
  expect({ code, stderr }).toEqual({
    code: 66,
    stderr: 'agent: Cannot read settings "no.jsonc": there is no such file\n',
  });
});
