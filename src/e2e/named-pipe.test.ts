// Files that a command line names may be pipes that nobody writes to: a signal and --max-time end the wait for them.

import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { textAnswer } from "../testing/fake-answers.ts";
import { type RunPlace, runPlace } from "../testing/run-command.ts";
import { until } from "../testing/until.ts";

const PLACES: readonly { readonly args: readonly string[]; readonly model?: string }[] = [
  { args: ["--schema", "pipe"] },
  { args: ["--system", "@pipe"] },
  { args: ["--append-system", "@pipe"] },
  { args: ["--session", "./pipe"] },
  { args: ["--fork", "./pipe"] },
  { args: [], model: "replay:pipe" },
];

async function placeWithPipe(): Promise<RunPlace & { readonly pipe: string }> {
  const place = await runPlace([textAnswer("never asked")]);
  const pipe = `${place.dir.path}/pipe`;
  spawnSync("mkfifo", [pipe]);
  return { ...place, pipe };
}

/** A writer that says nothing, once somebody wants to read. */
async function silentWriter(pipe: string): Promise<number> {
  let writer: number | undefined;
  await until(() => {
    try {
      writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      // Nobody reads yet.
    }
    return writer !== undefined;
  });
  return writer ?? -1;
}

for (const { args, ...options } of PLACES) {
  const name = [...args, options.model].join(" ").trim();

  test(`run ${name} waits for a pipe no longer than --max-time`, async () => {
    await using place = await placeWithPipe();
    const result = await place.run(["--max-time", "300ms", "--output", "json", ...args, "hi"], options);
    expect(JSON.parse(result.stdout)).toMatchObject({ exitCode: 6, limit: "time" });
  });

  test(`run ${name} ends at SIGINT while a pipe is silent`, async () => {
    await using place = await placeWithPipe();
    const running = place.start([...args, "hi"], options);
    const writer = await silentWriter(place.pipe);
    running.child.kill("SIGINT");
    expect((await running.result).code).toBe(130);
    closeSync(writer);
  });
}
