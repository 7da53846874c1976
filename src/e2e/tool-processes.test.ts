// What tools started ends with the run, however the run ends.

import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseRecords } from "../testing/event-schema.ts";
import { textAnswer, toolAnswer } from "../testing/fake-answers.ts";
import { isRunning } from "../testing/processes.ts";
import { type RunPlace, runPlace } from "../testing/run-command.ts";
import { until } from "../testing/until.ts";

const LINUX = existsSync("/proc/self/environ");

/** A child, a double fork in a session of its own, and the shell itself, none of which heeds SIGTERM. */
const FAMILY = `trap '' TERM INT HUP
bash -c 'trap "" TERM INT HUP; echo $$ > a; sleep 300; sleep 300' &
(setsid bash -c 'trap "" TERM INT HUP; (echo $BASHPID > b; exec sleep 300) & exit' &)
until [ -s a ] && [ -s b ]; do sleep 0.02; done; echo $$ > ready; sleep 300; sleep 300`;

async function startFamily(place: RunPlace) {
  const running = place.start(["--allow-run", "--output", "jsonl", "go"]);
  await until(() => existsSync(join(place.dir.path, "ready")) || running.child.exitCode !== null);
  const pids = ["a", "b", "ready"].map((name) => Number(readFileSync(join(place.dir.path, name), "utf8")));
  expect(pids.map(isRunning)).toEqual([true, true, true]);
  return { running, pids };
}

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const) {
  test.skipIf(!LINUX)(
    `${signal} ends a running command and all that it started, and records it`,
    async () => {
      await using place = await runPlace([toolAnswer({ name: "bash", arguments: { command: FAMILY } })]);
      const { running, pids } = await startFamily(place);
      running.child.kill(signal);
      const result = await running.result;
      expect(result.code).toBe(code);
      expect(pids.map(isRunning)).toEqual([false, false, false]);
      const last = place.session().at(-1)?.["message"];
      expect(last).toMatchObject({
        role: "toolResult",
        isError: true,
        content: [{ type: "text", text: "Command was ended with the run" }],
      });
    },
  );
}

test.skipIf(!LINUX)("a second signal ends the process at once, and its commands", async () => {
  await using place = await runPlace([toolAnswer({ name: "bash", arguments: { command: FAMILY } })]);
  const { running, pids } = await startFamily(place);
  running.child.kill("SIGINT");
  running.child.kill("SIGINT");
  expect((await running.result).code).toBe(130);
  expect(pids.map(isRunning)).toEqual([false, false, false]);
});

test.skipIf(!LINUX)("kill -9 of the process leaves none of its commands", async () => {
  await using place = await runPlace([toolAnswer({ name: "bash", arguments: { command: FAMILY } })]);
  const { running, pids } = await startFamily(place);
  running.child.kill("SIGKILL");
  expect((await running.result).signal).toBe("SIGKILL");
  await until(() => !pids.some(isRunning));
});

test.skipIf(!LINUX)("a background process goes on while the run does, and ends with it", async () => {
  await using place = await runPlace([
    toolAnswer({
      name: "bash",
      arguments: {
        command:
          "setsid bash -c 'echo $$ > pid; exec sleep 300' & until [ -s pid ]; do sleep 0.02; done; echo started",
      },
    }),
    toolAnswer({ name: "bash", arguments: { command: "kill -0 $(cat pid) && echo alive" } }),
    textAnswer("done"),
  ]);
  const result = await place.run(["--allow-run", "hi"]);
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: "done\n" });
  const results = place
    .session()
    .map((line) => JSON.stringify(line))
    .filter((line) => line.includes("toolResult"));
  expect(results[0]).toContain("started\\nStill running in the background: ");
  expect(results[1]).toContain("alive");
  const pid = Number(readFileSync(join(place.dir.path, "pid"), "utf8"));
  await until(() => !isRunning(pid));
});

test("the output of a command is streamed before it ends", async () => {
  const command = "echo first; until [ -e go ]; do sleep 0.02; done; echo second";
  await using place = await runPlace([
    toolAnswer({ name: "bash", arguments: { command } }),
    textAnswer("done"),
  ]);
  const running = place.start(["--allow-run", "--output", "jsonl", "go"]);
  await until(() => running.stdout().includes("tool_execution_update"));
  expect(running.stdout()).not.toContain("tool_execution_end");
  place.dir.write("go", "");
  const result = await running.result;
  const updates = parseRecords(result.stdout).filter((record) => record["type"] === "tool_execution_update");
  expect(updates.map((record) => record["delta"]).join("")).toBe("first\nsecond\n");
});
