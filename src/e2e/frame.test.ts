// The frame of the command line through the compiled binary: usage errors, help, version, hostile directories.

import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { AGENT_BINARY, runAgent } from "../testing/spawn.ts";
import { tempDir } from "../testing/temp.ts";

describe("agent", () => {
  test("prints its version and nothing else", async () => {
    using dir = tempDir();
    const result = await runAgent(["--version"], { cwd: dir.path, home: dir.path });
    expect(result).toEqual({
      code: 0,
      signal: null,
      stdout: expect.stringMatching(/^agent \d+\.\d+\.\d+\n$/),
      stderr: "",
    });
  });

  test.skipIf(!existsSync("/dev/full"))("says so where its version cannot be written", () => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(AGENT_BINARY, ["--version"], { stdio: ["ignore", full, "pipe"] });
    closeSync(full);
    expect({ status, stderr: stderr.toString() }).toEqual({
      status: 1,
      stderr: "agent: Cannot write to stdout: no space is left on the device\n",
    });
  });

  test("names the nearest command for an unknown one, and runs nothing", async () => {
    using dir = tempDir();
    const result = await runAgent(["handof", "x.jsonl"], { cwd: dir.path, home: dir.path });
    expect(result).toEqual({
      code: 2,
      signal: null,
      stdout: "",
      stderr: 'agent: unknown command "handof"\nagent: Did you mean "agent handoff"?\n',
    });
  });

  test("names --version for version, which is no command", async () => {
    using dir = tempDir();
    const { code, stderr } = await runAgent(["version"], { cwd: dir.path, home: dir.path });
    expect([code, stderr]).toEqual([
      2,
      'agent: unknown command "version"\nagent: Did you mean "agent --version"?\n',
    ]);
  });

  test("shows the commands of a group for help on it, in either order of words", async () => {
    using dir = tempDir();
    const options = { cwd: dir.path, home: dir.path };
    const [after, before] = await Promise.all([
      runAgent(["rules", "--help"], options),
      runAgent(["help", "rules"], options),
    ]);
    expect(before).toEqual(after);
    const commands = after.stdout.match(/^ {2}\w+ \w+/gm)?.map((line) => line.trim());
    expect([after.code, commands]).toEqual([
      0,
      ["rules check", "rules list", "rules test", "rules filter", "rules init"],
    ]);
  });

  test("names the nearest flag for an unknown one", async () => {
    using dir = tempDir();
    const result = await runAgent(["run", "--modle", "x", "hello"], { cwd: dir.path, home: dir.path });
    expect(result.code).toBe(2);
    expect(result.stderr).toBe("agent: unknown flag --modle\nagent: Did you mean --model?\n");
  });

  test("names the way out for a flag that is near no other: a prompt only where there is one", async () => {
    using dir = tempDir();
    const hints = await Promise.all(
      [["run"], ["rules", "filter"], []].map(async (words) => {
        const { stderr } = await runAgent([...words, "--zzzzzz"], { cwd: dir.path, home: dir.path });
        return stderr.split("\n")[1];
      }),
    );
    expect(hints).toEqual([
      "agent: A prompt that begins with - goes after --.",
      "agent: agent rules filter --help lists its flags.",
      "agent: agent --help lists the flags of every command.",
    ]);
  });

  test("takes no --config that cannot be used, whether the command has settings or not", async () => {
    using dir = tempDir();
    const broken = dir.write("broken.jsonc", '{ "model": 3 }');
    const ends = {
      "no.jsonc": { code: 66, stderr: 'agent: Cannot read settings "no.jsonc": there is no such file\n' },
      "broken.jsonc": {
        code: 78,
        stderr: `agent: Cannot use settings ${broken}:1:12: "model" must be a text, not 3\nagent: docs/config.schema.json describes every setting.\n`,
      },
    };
    for (const [file, end] of Object.entries(ends)) {
      for (const words of [["config"], ["session", "list"], ["completions", "bash"], ["rules", "init"]]) {
        const result = await runAgent([...words, "--config", file], { cwd: dir.path, home: dir.path });
        expect([words, result]).toEqual([words, { signal: null, stdout: "", ...end }]);
      }
    }
  });

  test("takes no --cwd that is empty, missing or no directory", async () => {
    using dir = tempDir();
    dir.write("file", "");
    const ends = await Promise.all(
      ["", "none", "file"].map((cwd) =>
        runAgent(["config", `--cwd=${cwd}`], { cwd: dir.path, home: dir.path }),
      ),
    );
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual([
      [2, "agent: --cwd= has an empty value\n"],
      [2, 'agent: --cwd: cannot use "none": no such file or directory\n'],
      [2, 'agent: --cwd: "file" is not a directory\n'],
    ]);
  });

  test("gives a usage error as JSON too when JSON was asked for", async () => {
    using dir = tempDir();
    const result = await runAgent(["run", "--output", "json", "--nonsense-flag"], {
      cwd: dir.path,
      home: dir.path,
    });
    expect(result.code).toBe(2);
    expect(JSON.parse(result.stdout)).toMatchObject({
      type: "result",
      ok: false,
      exitCode: 2,
      error: { kind: "usage", message: "unknown flag --nonsense-flag", retryable: false },
    });
  });

  test("reads neither .env nor bunfig.toml of the current directory", async () => {
    using dir = tempDir();
    dir.write(".env", "AGENT_DEBUG=1\nAGENT_HOME=/nonexistent\n");
    dir.write("evil.ts", `require("node:fs").writeFileSync("owned", "1");`);
    dir.write("bunfig.toml", `preload = ["./evil.ts"]\n[run]\npreload = ["./evil.ts"]\n`);
    dir.write("package.json", `{"name":"evil","type":"module","imports":{"#x":"./evil.ts"}}`);
    dir.write("tsconfig.json", `{"compilerOptions":{"paths":{"*":["./evil.ts"]}}}`);
    const result = await runAgent(["nonsense"], { cwd: dir.path, home: dir.path });
    expect(result.code).toBe(2);
    expect(result.stderr).not.toContain("    at ");
    expect(await Bun.file(`${dir.path}/owned`).exists()).toBe(false);
  });
});
