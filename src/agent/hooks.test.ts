import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CustomToolSettings, HookSettings } from "../settings/settings.ts";
import { tempDir } from "../testing/temp.ts";
import { until } from "../testing/until.ts";
import type { AgentEvent } from "./events.ts";
import { createHooks } from "./hooks.ts";

const TRIGGERED: AgentEvent = {
  type: "ttsr_triggered",
  rules: [{ name: "no-any", path: ".agent/rules/no-any.md", severity: "error" }],
  stream: "text",
  at: 7,
};
const turn = (number: number): AgentEvent => ({ type: "turn_start", turn: number });
const NEVER = new AbortController().signal;

function hooksIn(directory: string, hooks: Record<string, HookSettings[]>, tools: CustomToolSettings[] = []) {
  return createHooks({
    hooks,
    tools,
    cwd: directory,
    env: { PATH: process.env["PATH"], SECRET: "x" },
    allowEnv: [],
  });
}

const shell = (script: string, timeoutMs = 60_000): HookSettings => ({
  command: ["bash", "-c", script],
  timeoutMs,
});

test("hooks get their own events as JSON, in order, in a clean environment", async () => {
  using dir = tempDir();
  const hooks = hooksIn(dir.path, {
    turn_start: [shell("sleep 0.0$((RANDOM % 5)); cat >> log; echo $SECRET-$AGENT_CALL >> env")],
  });
  for (const event of [turn(1), TRIGGERED, turn(2), turn(3)]) hooks.notify(event);
  expect(await hooks.settle(NEVER)).toEqual([]);
  expect(readFileSync(join(dir.path, "log"), "utf8")).toBe(
    [1, 2, 3].map((n) => `${JSON.stringify(turn(n))}\n`).join(""),
  );
  expect(readFileSync(join(dir.path, "env"), "utf8")).toBe("-hook\n".repeat(3));
});

test("notify() returns before the program does anything", async () => {
  using dir = tempDir();
  const hooks = hooksIn(dir.path, {
    ttsr_triggered: [shell("until [ -e go ]; do sleep 0.02; done; touch done")],
  });
  hooks.notify(TRIGGERED);
  expect(existsSync(join(dir.path, "done"))).toBe(false);
  dir.write("go", "");
  await hooks.settle(NEVER);
  expect(existsSync(join(dir.path, "done"))).toBe(true);
});

test("hooks that fail are told once and harm nobody", async () => {
  using dir = tempDir();
  const hooks = hooksIn(dir.path, {
    turn_start: [
      shell("echo  'it broke' >&2; exit 3"),
      { command: ["/no/such/program"], timeoutMs: 1_000 },
      shell("sleep 300 & wait", 100),
      shell("echo $RANDOM > /dev/null; yes | head -c 300000; yes | head -c 300000 >&2; cat > last"),
    ],
  });
  hooks.notify(turn(1));
  hooks.notify(turn(1));
  const failures = await hooks.settle(NEVER);
  expect(failures.toSorted()).toEqual([
    "hook turn_start (/no/such/program): The program could not be started: /no/such/program: no such program (or the working directory is gone)",
    "hook turn_start (bash): The program exited with code 3: it broke",
    "hook turn_start (bash): The program was ended after 100 ms",
  ]);
  expect(readFileSync(join(dir.path, "last"), "utf8")).toBe(`${JSON.stringify(turn(1))}\n`);
});

test("tools with onSession are told of the session by reasons", async () => {
  using dir = tempDir();
  const base = { description: "d", parameters: {}, command: ["bash", "-c", "cat >> log"], timeoutMs: 60_000 };
  const hooks = hooksIn(dir.path, {}, [
    { ...base, name: "told", onSession: true },
    { ...base, name: "untold", command: ["bash", "-c", "cat >> other"], onSession: false },
  ]);
  hooks.notify({ type: "agent_start", model: "m", tools: [] });
  hooks.notify(turn(1));
  hooks.notify(TRIGGERED);
  hooks.notify({ type: "agent_end", reason: "stop" });
  await hooks.settle(NEVER);
  const { type: _, ...triggered } = TRIGGERED;
  expect(
    readFileSync(join(dir.path, "log"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { reason: "start", model: "m", tools: [] },
    { reason: "ttsr_triggered", ...triggered },
    { reason: "shutdown", cause: "stop" },
  ]);
  expect(existsSync(join(dir.path, "other"))).toBe(false);
});

test("settle() ends programs soon after a signal", async () => {
  using dir = tempDir();
  const controller = new AbortController();
  const hooks = hooksIn(dir.path, { turn_start: [shell("touch started; sleep 300")] });
  hooks.notify(turn(1));
  await until(() => existsSync(join(dir.path, "started")));
  controller.abort();
  expect(await hooks.settle(controller.signal)).toEqual([
    "hook turn_start (bash): The program was ended with the run",
  ]);
});

test("events beyond what a slow program can take are dropped, and counted", async () => {
  using dir = tempDir();
  const hooks = hooksIn(dir.path, { turn_start: [shell("cat >> log; sleep 300")] });
  for (let number = 0; number < 205; number++) hooks.notify(turn(number));
  const controller = new AbortController();
  controller.abort();
  expect(await hooks.settle(controller.signal)).toEqual([
    "hook turn_start (bash): The program was ended with the run",
    "hook turn_start (bash): 204 events could not be delivered in time",
  ]);
  expect(readFileSync(join(dir.path, "log"), "utf8")).toBe(`${JSON.stringify(turn(0))}\n`);
});
