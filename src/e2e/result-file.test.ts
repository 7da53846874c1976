// `--result` says how the process ended, whatever came after the run itself.

import { expect, test } from "bun:test";
import { closeSync, existsSync, openSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { textAnswer } from "../testing/fake-answers.ts";
import type { ScriptedAnswer } from "../testing/fake-routes.ts";
import { runPlace } from "../testing/run-command.ts";
import { AGENT_BINARY, runAgent } from "../testing/spawn.ts";
import { tempDir } from "../testing/temp.ts";
import { until } from "../testing/until.ts";

const usageError = { type: "result", ok: false, exitCode: 2, sessionId: null, error: { kind: "usage" } };

test("run and handoff write the result of a command line that cannot be parsed", async () => {
  using dir = tempDir();
  dir.write("below/.keep", "");
  for (const line of [
    ["run", "--result", "r0.json", "--nonsense", "hi"],
    ["run", "--max-turns", "many", "--result=r1.json", "hi"],
    ["handoff", "--cwd", "below", "--result", "../r2.json", "--nonsense"],
  ])
    expect((await runAgent(line, { cwd: dir.path, home: dir.path })).code).toBe(2);
  for (const name of ["r0.json", "r1.json", "r2.json"])
    expect(JSON.parse(readFileSync(`${dir.path}/${name}`, "utf8"))).toMatchObject(usageError);
});

test("run takes no flag for the file of a --result that has none", async () => {
  using dir = tempDir();
  const { code } = await runAgent(["run", "--result", "--nonsense", "hi"], {
    cwd: dir.path,
    home: dir.path,
  });
  expect([code, existsSync(`${dir.path}/--nonsense`)]).toEqual([2, false]);
});

for (const output of ["text", "json", "session"]) {
  test(`run says in its result that stdout could not be written, with --output ${output}`, async () => {
    await using place = await runPlace([textAnswer("Hello")]);
    const args = [
      "run",
      "--host",
      place.server.url,
      "--model",
      "fake",
      "--output",
      output,
      "--result",
      "r.json",
    ];
    const child = Bun.spawn([AGENT_BINARY, ...args, "hi"], {
      cwd: place.dir.path,
      stdin: "ignore",
      stdout: openSync("/dev/full", "w"),
      stderr: "ignore",
      env: { HOME: place.dir.path, AGENT_HOME: `${place.dir.path}/h` },
    });
    expect(await child.exited).toBe(1);
    expect(JSON.parse(readFileSync(`${place.dir.path}/r.json`, "utf8"))).toMatchObject({
      ok: false,
      exitCode: 1,
      text: "Hello",
      error: { kind: "failed", message: "Cannot write to stdout: no space is left on the device" },
    });
  });
}

test("run ends with the code that its result tells, though a signal comes while that is being written", async () => {
  await using place = await runPlace([textAnswer("x".repeat(400_000))]);
  const running = place.start(["--output", "json", "--result", "r.json", "hi"]);
  running.child.stdout?.pause();
  const file = `${place.dir.path}/r.json`;
  await until(() => existsSync(file) && readFileSync(file, "utf8").endsWith("}\n"));
  running.child.kill("SIGINT");
  await Bun.sleep(100);
  running.child.stdout?.resume();
  const { code, stdout } = await running.result;
  expect([code, JSON.parse(stdout).exitCode]).toEqual([0, 0]);
});

test("run keeps the code of its failure when the result cannot be written, and says both", async () => {
  await using place = await runPlace();
  const { code, stderr } = await place.run(["--retries", "0", "--result", "/dev/full", "hi"], {
    host: "127.0.0.1:9",
  });
  expect(code).toBe(69);
  expect(stderr).toContain('agent: warning: Cannot write the result to "/dev/full": no space');
  expect(stderr).toContain("connection refused");
});

test("run and handoff refuse a --result that cannot be written before they begin", async () => {
  await using place = await runPlace();
  for (const file of ["missing/r.json", ".", ""]) {
    const { code, stderr } = await place.run(["--result", file, "hi"]);
    expect([file, code]).toEqual([file, 2]);
    expect(stderr).toContain(`--result: `);
  }
  expect(place.server.chats()).toEqual([]);
  const handoff = ["handoff", "latest", "--result", "missing/r.json"];
  const { code, stderr } = await runAgent(handoff, { cwd: place.dir.path, home: place.dir.path });
  expect([code, stderr.split("\n")[0]]).toEqual([
    2,
    'agent: --result: there is no directory for "missing/r.json"',
  ]);
});

const silent: ScriptedAnswer = { lines: [], ending: "open" };

test("run empties the result of the run before when it begins, through a link too", async () => {
  await using place = await runPlace([silent, silent, silent]);
  const file = `${place.dir.path}/r.json`;
  symlinkSync("r.json", `${place.dir.path}/link.json`);
  for (const old of [
    '{"type":"result","ok":true}\n',
    '{\n  "type": "result",\n  "ok": true\n}\n',
    '{"type":"res',
  ]) {
    writeFileSync(file, old);
    const running = place.start(["--result", "link.json", "hi"]);
    await until(() => readFileSync(file, "utf8") === "");
    running.child.kill("SIGKILL");
    await running.result;
    expect(readFileSync(file, "utf8")).toBe("");
  }
});

test("run writes its result to a descriptor that the shell opened behind what is there", async () => {
  await using place = await runPlace([textAnswer("Hello")]);
  const log = `${place.dir.path}/log`;
  writeFileSync(log, "begin\n");
  const stderr = openSync(log, "a");
  const args = ["run", "--host", place.server.url, "--model", "fake", "--result", "/dev/stderr", "hi"];
  const child = Bun.spawn([AGENT_BINARY, ...args], {
    cwd: place.dir.path,
    stdin: "ignore",
    stdout: "ignore",
    stderr,
    env: { HOME: place.dir.path, AGENT_HOME: `${place.dir.path}/h` },
  });
  expect(await child.exited).toBe(0);
  closeSync(stderr);
  expect(readFileSync(log, "utf8")).toMatch(/^begin\n\{"type":"result","ok":true,/);
});
