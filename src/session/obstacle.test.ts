import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { chunksOf, HEADER, jsonl, userEntry } from "../testing/session-text.ts";
import { tempDir } from "../testing/temp.ts";
import { appendObstacle } from "./obstacle.ts";
import { readSession } from "./open.ts";

const TEXT = jsonl(HEADER, userEntry("00000001", null));

test("appendObstacle() finds none for a file, and says why a read-only one, a pipe and stdin cannot go on", async () => {
  using dir = tempDir();
  const file = dir.write("s.jsonl", TEXT);
  const locked = dir.write("locked.jsonl", TEXT);
  chmodSync(locked, 0o444);
  const pipe = `${dir.path}/pipe`;
  Bun.spawnSync(["mkfifo", pipe]);
  const obstacle = async (path?: string) =>
    appendObstacle(await readSession(chunksOf(TEXT), path === undefined ? {} : { path }));
  expect([await obstacle(file), await obstacle(locked), await obstacle(pipe), await obstacle()]).toEqual([
    undefined,
    "it is read-only",
    "it is a pipe or a device, not a file",
    "it did not come from a file",
  ]);
});
