// stdin and stdout through real pipes: large output to a slow reader, a reader that leaves, one that never reads,
// a prompt of any size, a writer that says nothing.

import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { AGENT_BINARY, runAgent, startAgent } from "../testing/spawn.ts";
import { type TempDir, tempDir } from "../testing/temp.ts";
import { until } from "../testing/until.ts";

/** A recording of one answer, its text cut into pieces. */
function recordAnswer(dir: TempDir, pieces: readonly string[]): string {
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
  const lines = [
    { type: "recording", v: 1, provider: "ollama", model: "test" },
    { type: "start" },
    ...pieces.map((delta) => ({ type: "text_delta", delta })),
    { type: "done", stopReason: "stop", usage },
  ];
  return dir.write("answer.jsonl", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

const LARGE = Array.from({ length: 2000 }, (_, index) => `${index} ${"x".repeat(998)}é\n`);

/** Runs a bash script whose `$1` is the binary and `$2` the recording. */
function runScript(
  dir: TempDir,
  script: string,
  replay: string,
): { readonly stdout: string; readonly stderr: string } {
  return spawnSync("bash", ["-c", script, "bash", AGENT_BINARY, replay], {
    cwd: dir.path,
    env: { PATH: process.env["PATH"] ?? "", HOME: dir.path, AGENT_HOME: join(dir.path, "agent") },
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
}

test("agent run gives two megabytes whole to a reader that is slow", () => {
  using dir = tempDir();
  const replay = recordAnswer(dir, LARGE);
  const script = `"$1" run --model "replay:$2" --no-session go | { sleep 0.5; cat; }; echo "\${PIPESTATUS[0]}" >&2`;
  const { stdout, stderr } = runScript(dir, script, replay);
  expect([stdout === LARGE.join("") || stdout.length, stderr]).toEqual([true, "0\n"]);
});

test("agent run ends quietly with 141 when its reader leaves", () => {
  using dir = tempDir();
  const replay = recordAnswer(dir, LARGE);
  const script = `"$1" run --model "replay:$2" --output live --no-session go | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = runScript(dir, script, replay);
  expect([stdout, stderr]).toEqual([`${LARGE[0]}141\n`, ""]);
});

test("agent run ends at once on a second signal, also when nobody reads its output", () => {
  using dir = tempDir();
  const replay = recordAnswer(dir, LARGE);
  const script = `mkfifo out; sleep 60 <out >&- 2>&- & sleeper=$!
"$1" run --model "replay:$2" --output live --no-session go >out & agent=$!
sleep 0.5; kill -TERM $agent; sleep 0.3; kill -TERM $agent; SECONDS=0; wait $agent; echo $?; kill $sleeper; echo $SECONDS`;
  const [code, seconds] = runScript(dir, script, replay).stdout.trim().split("\n").map(Number);
  expect(code).toBe(143);
  // The first signal alone ends it after 10 s, and its reader leaves after 60.
  expect(seconds).toBeLessThan(8);
}, 90_000);

test("a prompt that begins with a dash is taken after --, and a large one from stdin", async () => {
  using dir = tempDir();
  const replay = recordAnswer(dir, ["ok"]);
  const options = { cwd: dir.path, home: dir.path };
  const args = ["run", "--model", `replay:${replay}`, "--output", "session"];
  const dashed = await runAgent([...args, "--", "-v is a flag?"], options);
  expect([dashed.code, dashed.stdout.includes('"-v is a flag?"')]).toEqual([0, true]);
  const prompt = "word ".repeat(60_000);
  const large = await runAgent(args, { ...options, stdin: prompt });
  expect([large.code, large.stdout.includes(prompt.trimEnd())]).toEqual([0, true]);
});

test("silence on stdin is announced with a way out that the command has", async () => {
  using dir = tempDir();
  const agent = startAgent(["rules", "filter"], { cwd: dir.path, home: dir.path, stdin: { open: "" } });
  await until(() => agent.stderr().includes("waiting"));
  expect(agent.stderr()).toEndWith(
    "agent: waiting for the text to filter on stdin (to read nothing: < /dev/null)\n",
  );
  await agent.endStdin("");
  expect(await agent.result).toMatchObject({ code: 0 });
});

test("silence on stdin is announced with the way out", async () => {
  using dir = tempDir();
  const replay = recordAnswer(dir, ["ok"]);
  const agent = startAgent(["run", "--model", `replay:${replay}`, "--no-session"], {
    cwd: dir.path,
    home: dir.path,
    stdin: { open: "" },
  });
  await until(() => agent.stderr().endsWith("\n"));
  expect(agent.stderr()).toBe(
    "agent: waiting for the prompt on stdin (to read nothing: --no-stdin, or < /dev/null)\n",
  );
  await agent.endStdin("go");
  expect(await agent.result).toMatchObject({ code: 0, stdout: "ok\n" });
});
