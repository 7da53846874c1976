import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import fc from "fast-check";
import { tempDir } from "../testing/temp.ts";
import { newHeader } from "./header.ts";
import {
  allStoredSessions,
  findSessions,
  latestSession,
  newSessionPath,
  sessionDirectory,
  storeDirectory,
} from "./store.ts";
import { createSession } from "./writer.ts";

const LOCK = { owner: { pid: process.pid, hostname: hostname() }, waitMs: 0 };

/** Makes a session of a directory; gives its id and path. */
async function makeSession(store: string, cwd: string, id?: string): Promise<{ id: string; path: string }> {
  const header = { ...newHeader({ cwd }), ...(id === undefined ? {} : { id }) };
  const path = newSessionPath(store, header);
  (await createSession({ path, header, ...LOCK })).close();
  return { id: header.id, path };
}

test("storeDirectory() takes AGENT_HOME, then an absolute XDG_DATA_HOME, then the home directory", () => {
  const of = (env: Record<string, string>) => storeDirectory({ env, home: "/home/x" });
  expect(of({ AGENT_HOME: "/a", XDG_DATA_HOME: "/d" })).toBe("/a/sessions");
  expect(of({ XDG_DATA_HOME: "/d" })).toBe("/d/agent/sessions");
  expect(of({ XDG_DATA_HOME: "relative" })).toBe("/home/x/.local/share/agent/sessions");
  expect(of({})).toBe("/home/x/.local/share/agent/sessions");
});

test("storeDirectory() has no place in the working directory: without a home directory it throws", () => {
  for (const home of ["", "relative"])
    expect(() => storeDirectory({ env: {}, home })).toThrow(
      "There is no place for sessions: HOME is not set",
    );
});

test("sessionDirectory() gives no two paths one directory", () => {
  const clashing = ["/a-b/c", "/a/b-c", "/a/b/c", "/a b c", "/a-b-c", "/A/b/c", "/a/b/c/ü", "/a/b/c/ö"];
  const names = clashing.map((cwd) => sessionDirectory("/store", cwd));
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(clashing.length);
  expect(names[0]).toMatch(/^\/store\/a-b-c-[0-9a-f]{12}$/);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (path) => {
      const name = sessionDirectory("/store", `/${path}`).slice("/store/".length);
      expect(name).toMatch(/^[A-Za-z0-9._-]{13,80}$/);
    }),
  );
});

test("sessionDirectory() is the same through a symbolic link", () => {
  using dir = tempDir();
  mkdirSync(`${dir.path}/real`);
  symlinkSync(`${dir.path}/real`, `${dir.path}/link`);
  expect(sessionDirectory("/store", `${dir.path}/link`)).toBe(sessionDirectory("/store", `${dir.path}/real`));
});

test("findSessions() finds a session the moment after it was made, by its id and its beginning", async () => {
  using dir = tempDir();
  const made = await makeSession(dir.path, "/x");
  expect(findSessions(dir.path, "/x", made.id)).toEqual([made]);
  expect(findSessions(dir.path, "/x", made.id.slice(0, 13))).toEqual([made]);
  expect(findSessions(dir.path, "/x", "ffff")).toEqual([]);
});

test("findSessions() looks in this directory first, then in all", async () => {
  using dir = tempDir();
  const here = await makeSession(dir.path, "/x", "aaaa0001");
  const there = await makeSession(dir.path, "/y", "aaaa0002");
  const other = await makeSession(dir.path, "/y", "bbbb0001");
  expect(findSessions(dir.path, "/x", "aaaa")).toEqual([here]);
  expect(findSessions(dir.path, "/x", "bbbb")).toEqual([other]);
  expect(
    findSessions(dir.path, "/z", "aaaa")
      .map(({ id }) => id)
      .sort(),
  ).toEqual([here.id, there.id]);
});

test("findSessions() prefers an exact id to those that begin with it", async () => {
  using dir = tempDir();
  const short = await makeSession(dir.path, "/x", "aaaa");
  await makeSession(dir.path, "/x", "aaaa0002");
  expect(findSessions(dir.path, "/x", "aaaa")).toEqual([short]);
});

test("latestSession() gives the session of this directory that was written to last", async () => {
  using dir = tempDir();
  expect(latestSession(dir.path, "/x")).toBeUndefined();
  const first = await makeSession(dir.path, "/x");
  const second = await makeSession(dir.path, "/x");
  await makeSession(dir.path, "/y");
  utimesSync(first.path, 2000, 2000);
  utimesSync(second.path, 1000, 1000);
  expect(latestSession(dir.path, "/x")).toEqual(first);
});

test("allStoredSessions() takes session files only", async () => {
  using dir = tempDir();
  const made = await makeSession(dir.path, "/x");
  const directory = dirname(made.path).slice(dir.path.length + 1);
  for (const name of ["a.jsonl.lock", ".b.jsonl", "c.txt"]) dir.write(`${directory}/${name}`, "");
  mkdirSync(`${dirname(made.path)}/d.jsonl`);
  Bun.spawnSync(["mkfifo", `${dirname(made.path)}/e.jsonl`]);
  symlinkSync("e.jsonl", `${dirname(made.path)}/f.jsonl`);
  expect(allStoredSessions(dir.path)).toEqual([made]);
  symlinkSync(made.path, `${dirname(made.path)}/2026_linked.jsonl`);
  expect(allStoredSessions(dir.path).map(({ id }) => id)).toContain("linked");
  expect(allStoredSessions(`${dir.path}/none`)).toEqual([]);
});
