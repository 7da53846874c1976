import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { AppError } from "../base/errors.ts";
import { pidScope, processStart } from "../base/process-alive.ts";
import { tempDir } from "../testing/temp.ts";
import { acquireLock } from "./lock.ts";

const OWNER = { pid: process.pid, hostname: hostname() };
const NOW = { owner: OWNER, waitMs: 0 };

/** The number of a process that has ended. */
function deadPid(): number {
  return spawnSync("true").pid;
}

function holder(more: object): string {
  return JSON.stringify({
    pid: process.pid,
    host: hostname(),
    scope: pidScope(),
    start: processStart(process.pid),
    ...more,
  });
}

test("acquireLock() leaves a file that names its holder, and release() takes it away", async () => {
  using dir = tempDir();
  const lock = await acquireLock(`${dir.path}/s.jsonl`, NOW);
  expect(JSON.parse(readFileSync(`${dir.path}/s.jsonl.lock`, "utf8"))).toMatchObject({
    pid: process.pid,
    host: hostname(),
  });
  expect(readdirSync(dir.path)).toEqual(["s.jsonl.lock"]);
  expect(lock.isHeld()).toBe(true);
  lock.release();
  lock.release();
  expect(lock.isHeld()).toBe(false);
  expect(readdirSync(dir.path)).toEqual([]);
});

test("acquireLock() names the holder's pid and host when it is in use", async () => {
  using dir = tempDir();
  const lock = await acquireLock(`${dir.path}/s.jsonl`, NOW);
  const refused = acquireLock(`${dir.path}/s.jsonl`, NOW);
  await expect(refused).rejects.toMatchObject({
    kind: "locked",
    message: `Cannot write to session "${dir.path}/s.jsonl": it is in use by process ${process.pid} on ${hostname()}`,
  });
  lock.release();
});

test("acquireLock() waits for a holder that ends in time, and no longer when its signal is aborted", async () => {
  using dir = tempDir();
  const first = await acquireLock(`${dir.path}/s.jsonl`, NOW);
  const waiting = acquireLock(`${dir.path}/s.jsonl`, { owner: OWNER, waitMs: 10_000 });
  setTimeout(() => first.release(), 30);
  const second = await waiting;
  expect(second.isHeld()).toBe(true);
  const controller = new AbortController();
  const aborted = acquireLock(`${dir.path}/s.jsonl`, {
    owner: OWNER,
    waitMs: 10_000,
    signal: controller.signal,
  });
  controller.abort(new AppError("sigint", "Ended by SIGINT"));
  await expect(aborted).rejects.toMatchObject({ kind: "sigint" });
  second.release();
});

const TAKEN_OVER: readonly (readonly [string, () => string, number])[] = [
  ["whose process has ended", () => holder({ pid: deadPid() }), 0],
  ["whose number belongs to a younger process", () => holder({ start: "1" }), 0],
  ["of an earlier boot", () => holder({ scope: "earlier ns" }), 61],
  ["of another host that is silent", () => holder({ host: "elsewhere" }), 61],
  [
    "of another pid namespace that is silent",
    () => holder({ scope: `${pidScope().split(" ")[0]} pid:[1]` }),
    61,
  ],
  ["of a number in use, of an unknown start, that is silent", () => holder({ start: undefined }), 61],
  ["that names nobody and is silent", () => "", 61],
  ["that was last heard of before the clock was set back", () => holder({ host: "elsewhere" }), -3_600],
];

test.each(TAKEN_OVER)("acquireLock() takes over a lock %s", async (_, text, secondsAgo) => {
  using dir = tempDir();
  const path = dir.write("s.jsonl.lock", text());
  utimesSync(path, Date.now() / 1000 - secondsAgo, Date.now() / 1000 - secondsAgo);
  const lock = await acquireLock(`${dir.path}/s.jsonl`, NOW);
  expect(lock.isHeld()).toBe(true);
  expect(readdirSync(dir.path)).toEqual(["s.jsonl.lock"]);
  lock.release();
});

const LEFT_ALONE: readonly (readonly [string, () => string])[] = [
  ["of a process that runs", () => holder({})],
  ["of another host that was heard of", () => holder({ host: "elsewhere" })],
  [
    "of another pid namespace that was heard of",
    () => holder({ scope: `${pidScope().split(" ")[0]} pid:[1]` }),
  ],
  ["of a number in use, of an unknown start, that was heard of", () => holder({ start: undefined })],
  ["of another machine of this name that was heard of", () => holder({ scope: "elsewhere ns" })],
  ["that names nobody and is new", () => ""],
];

test.each(LEFT_ALONE)("acquireLock() leaves a lock alone %s", async (_, text) => {
  using dir = tempDir();
  const path = dir.write("s.jsonl.lock", text());
  const before = readFileSync(path, "utf8");
  await expect(acquireLock(`${dir.path}/s.jsonl`, NOW)).rejects.toMatchObject({ kind: "locked" });
  expect(readFileSync(path, "utf8")).toBe(before);
});

test("acquireLock() gives a dead holder's lock to one of many takers only", async () => {
  using dir = tempDir();
  dir.write("s.jsonl.lock", holder({ pid: deadPid() }));
  const takers = Array.from({ length: 20 }, () => acquireLock(`${dir.path}/s.jsonl`, NOW));
  const outcomes = await Promise.allSettled(takers);
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled").length).toBe(1);
});

test("acquireLock() gives a dead holder's lock to one of many processes only", async () => {
  using dir = tempDir();
  const script = join(import.meta.dir, "../testing/take-lock.ts");
  for (let round = 0; round < 4; round++) {
    dir.write("s.jsonl.lock", holder({ pid: deadPid() }));
    // A taker that died on the way makes it harder for the others.
    if (round % 2 === 1) dir.write("s.jsonl.lock.claim", holder({ pid: deadPid() }));
    const moment = Date.now() + 400;
    const takers = Array.from({ length: 6 }, () =>
      Bun.spawn([process.execPath, script, `${dir.path}/s.jsonl`, String(moment)], {
        stdin: "pipe",
        stdout: "pipe",
      }),
    );
    const first = await Promise.all(takers.map(async (taker) => await firstLine(taker.stdout)));
    for (const taker of takers) taker.stdin.end();
    await Promise.all(takers.map((taker) => taker.exited));
    expect(first.filter((line) => line === "taken").length).toBe(1);
    expect(first.filter((line) => line.startsWith("it is in use by process ")).length).toBe(5);
    expect(readdirSync(dir.path)).toEqual([]);
  }
});

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk);
    if (text.includes("\n")) break;
  }
  return text.split("\n")[0] ?? "";
}

test("acquireLock() gets past the claim of a taker that died", async () => {
  using dir = tempDir();
  dir.write("s.jsonl.lock", holder({ pid: deadPid() }));
  dir.write("s.jsonl.lock.claim", holder({ pid: deadPid() }));
  (await acquireLock(`${dir.path}/s.jsonl`, NOW)).release();
  expect(existsSync(`${dir.path}/s.jsonl.lock.claim`)).toBe(false);
});

test("isHeld() says when the lock was removed or replaced, and release() leaves another's alone", async () => {
  using dir = tempDir();
  const lock = await acquireLock(`${dir.path}/s.jsonl`, NOW);
  rmSync(`${dir.path}/s.jsonl.lock`);
  expect(lock.isHeld()).toBe(false);
  writeFileSync(`${dir.path}/s.jsonl.lock`, holder({}));
  lock.release();
  expect(existsSync(`${dir.path}/s.jsonl.lock`)).toBe(true);
});

test("isHeld() and release() cope with a path on which nothing can be looked at any more", async () => {
  using dir = tempDir();
  mkdirSync(`${dir.path}/project`);
  const lock = await acquireLock(`${dir.path}/project/s.jsonl`, NOW);
  renameSync(`${dir.path}/project`, `${dir.path}/moved`);
  symlinkSync("project", `${dir.path}/project`);
  expect(lock.isHeld()).toBe(false);
  lock.release();
  expect(readdirSync(`${dir.path}/moved`)).toEqual(["s.jsonl.lock"]);
});

test("acquireLock() ends with failed where no lock can be made", async () => {
  await expect(acquireLock("/proc/nowhere/s.jsonl", NOW)).rejects.toMatchObject({ kind: "failed" });
});
