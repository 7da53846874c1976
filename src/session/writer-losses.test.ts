// A file that others took away, replaced or cut short while it was written to.

import { expect, test } from "bun:test";
import { existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { HEADER, jsonl } from "../testing/session-text.ts";
import { tempDir } from "../testing/temp.ts";
import type { AppendEntry } from "./session.ts";
import { createSession } from "./writer.ts";

const LOCK = { owner: { pid: process.pid, hostname: hostname() }, waitMs: 0 };

function note(name: string): AppendEntry {
  return { type: "session_info", name };
}

const LOSSES: readonly (readonly [string, (path: string) => void, string])[] = [
  ["removed", (path) => rmSync(path), "the file was removed"],
  ["moved", (path) => renameSync(path, `${path}.moved`), "the file was removed"],
  ["replaced", replace, "another file was put in its place"],
  ["cut short", (path) => truncateSync(path, 10), "another program cut the file short"],
];

function replace(path: string): void {
  writeFileSync(`${path}.other`, readFileSync(path));
  renameSync(`${path}.other`, path);
}

test.each(LOSSES)("append() fails when the file was %s, and brings nothing back", async (_, lose, why) => {
  using dir = tempDir();
  const path = `${dir.path}/s.jsonl`;
  const writer = await createSession({ path, header: HEADER, ...LOCK });
  writer.append([note("a")]);
  lose(path);
  const before = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  expect(() => writer.append([note("b")])).toThrow(why);
  // Once broken, it stays so: nothing is written after a gap.
  expect(() => writer.append([note("c")])).toThrow(why);
  expect(() => writer.flush()).toThrow(why);
  writer.close();
  expect(existsSync(path) ? readFileSync(path, "utf8") : undefined).toBe(before);
});

test("append() fails when the lock was taken over", async () => {
  using dir = tempDir();
  const path = `${dir.path}/s.jsonl`;
  const writer = await createSession({ path, header: HEADER, ...LOCK });
  rmSync(`${path}.lock`);
  expect(() => writer.append([note("a")])).toThrow("another process took its lock");
  writer.close();
  expect(readFileSync(path, "utf8")).toBe(jsonl(HEADER));
});
