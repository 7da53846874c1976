// Ending what was started: the group, what left the group, and what ignores the polite signal.

import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRunning } from "../../testing/processes.ts";
import { tempDir } from "../../testing/temp.ts";
import { until } from "../../testing/until.ts";
import { cleanEnvironment } from "./environment.ts";
import { type ProgramRequest, runProgram } from "./run.ts";
import { findProcesses, killTree } from "./tree.ts";

const LINUX = existsSync("/proc/self/environ");

interface Ran {
  readonly directory: string;
  readonly script: string;
  readonly options?: Partial<ProgramRequest>;
}

function start({ directory, script, options }: Ran) {
  return runProgram({
    command: ["bash", "-c", script],
    cwd: directory,
    env: cleanEnvironment({ PATH: process.env["PATH"] }, []),
    runMarker: `test${process.pid}`,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    keepBackground: false,
    onStdout: () => {},
    onStderr: () => {},
    ...options,
  });
}

/** The processes that a script wrote the numbers of, one a file. */
function pidsIn(directory: string, names: readonly string[]): readonly number[] {
  return names.map((name) => Number(readFileSync(join(directory, name), "utf8")));
}

/** A child, a grandchild in a session of its own, and a double fork; none heeds SIGTERM. */
const FAMILY = `
trap '' TERM
bash -c 'trap "" TERM; echo $$ > a; sleep 300; sleep 300' &
setsid bash -c 'trap "" TERM; echo $$ > b; sleep 300; sleep 300' &
(setsid bash -c 'trap "" TERM; (echo $BASHPID > c; exec sleep 300) & exit' &)
until [ -s a ] && [ -s b ] && [ -s c ]; do sleep 0.02; done
echo $$ > d
mv d ready
sleep 300; sleep 300
`;

test.skipIf(!LINUX)("runProgram() ends the whole tree at a signal, double forks too", async () => {
  using dir = tempDir();
  const controller = new AbortController();
  const running = start({ directory: dir.path, script: FAMILY, options: { signal: controller.signal } });
  await until(() => existsSync(join(dir.path, "ready")));
  const pids = pidsIn(dir.path, ["a", "b", "c", "ready"]);
  expect(pids.map(isRunning)).toEqual([true, true, true, true]);
  controller.abort();
  expect((await running).how).toBe("aborted");
  await until(() => !pids.some(isRunning));
});

test.skipIf(!LINUX)(
  "runProgram() ends all that was started by the timeout, however far that came",
  async () => {
    using dir = tempDir();
    const runMarker = `timeout${process.pid}`;
    const end = await start({ directory: dir.path, script: FAMILY, options: { runMarker, timeoutMs: 500 } });
    expect(end.how).toBe("timeout");
    await until(() => findProcesses({ marker: runMarker, group: undefined }).length === 0);
  },
);

test.skipIf(!LINUX)("runProgram() ends what a program left behind", async () => {
  using dir = tempDir();
  const end = await start({ directory: dir.path, script: "(sleep 300 & echo $! > a); exit 4" });
  expect({ ...end, durationMs: 0 }).toEqual({
    how: "exited",
    code: 4,
    signal: undefined,
    reason: undefined,
    background: [],
    durationMs: 0,
  });
  await until(() => !isRunning(pidsIn(dir.path, ["a"])[0] ?? 0));
});

test.skipIf(!LINUX)("killTree() ends processes by the beginning of their marker", async () => {
  using dir = tempDir();
  const marker = `kill${process.pid}`;
  const end = await start({
    directory: dir.path,
    script: "setsid sleep 300 >/dev/null 2>&1 & exit 0",
    options: { runMarker: marker, keepBackground: true },
  });
  const [pid] = end.background;
  expect(end.background.length).toBe(1);
  killTree({ marker, group: undefined });
  await until(() => findProcesses({ marker, group: undefined }).length === 0);
  await until(() => !isRunning(pid ?? 0));
});

test("runProgram() gives the program its input and reads what it says to the end", async () => {
  using dir = tempDir();
  const out: string[] = [];
  const err: string[] = [];
  await start({
    directory: dir.path,
    script: "cat; seq 1 50000 | tail -n 1; echo bad >&2",
    options: { input: "in\n", onStdout: (text) => out.push(text), onStderr: (text) => err.push(text) },
  });
  expect([out.join(""), err.join("")]).toEqual(["in\n50000\n", "bad\n"]);
});

test("runProgram() survives a program that does not read its input", async () => {
  using dir = tempDir();
  const end = await start({
    directory: dir.path,
    script: "exit 0",
    options: { input: "x".repeat(1_000_000) },
  });
  expect([end.how, end.code]).toEqual(["exited", 0]);
});

test("runProgram() says why a program cannot be started", async () => {
  using dir = tempDir();
  dir.write("plain", "no program");
  const reasons = await Promise.all(
    [
      ["no-such-program-x"],
      [join(dir.path, "plain")],
      ["bash", "-c", "x".repeat(3_000_000)],
      ["bash", "-c", "echo a\0b"],
    ].map(async (command) => (await start({ directory: dir.path, script: "", options: { command } })).reason),
  );
  expect(reasons).toEqual([
    "no-such-program-x: no such program (or the working directory is gone)",
    `${join(dir.path, "plain")}: not executable`,
    "bash: the arguments are too long",
    "bash: an argument holds a NUL character",
  ]);
});

test.skipIf(!LINUX)("the guard ends what a run started when the process is killed", async () => {
  using dir = tempDir();
  const root = join(import.meta.dir, "../..");
  dir.write(
    "victim.ts",
    `import { runProcesses } from "${root}/tools/process/guard.ts";
     import { runProgram } from "${root}/tools/process/run.ts";
     const processes = runProcesses();
     processes.start();
     await runProgram({ command: ["bash", "-c", "setsid sleep 300 & echo $! > pid; mv pid ready; wait"], cwd: ${JSON.stringify(dir.path)},
       env: { PATH: process.env.PATH ?? "" }, runMarker: processes.marker, timeoutMs: 60000, signal: new AbortController().signal,
       keepBackground: true, onStdout: () => {}, onStderr: () => {} });`,
  );
  const victim = spawn(process.execPath, [join(dir.path, "victim.ts")], { stdio: "ignore" });
  await until(() => existsSync(join(dir.path, "ready")));
  const [pid = 0] = pidsIn(dir.path, ["ready"]);
  expect(isRunning(pid)).toBe(true);
  victim.kill("SIGKILL");
  await until(() => !isRunning(pid));
});
