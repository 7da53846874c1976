// What a run keeps for itself (session, lock, result, recording) is not for its tools, and not for a commit.

import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textAnswer, toolAnswer } from "../testing/fake-answers.ts";
import { runPlace, sessionLines } from "../testing/run-command.ts";

const OWN = ["session.jsonl", "session.jsonl.lock", "result.json", "recording.jsonl"];
const FLAGS = ["--into", "session.jsonl", "--result", "result.json", "--record", "recording.jsonl"];
const write = (path: string) => ({ name: "write", arguments: { path, content: "x" } });

test("write and edit leave the files of their own run alone, and the run ends well", async () => {
  await using place = await runPlace([
    toolAnswer(
      ...OWN.map(write),
      { name: "edit", arguments: { path: "session.jsonl", oldText: '{"type":"session",', newText: "x" } },
      write("./sub/../session.jsonl"),
      write("other.jsonl"),
    ),
    textAnswer("done"),
  ]);
  const { code, stderr } = await place.run(["--allow-write", ...FLAGS, "hi"]);
  const denials = stderr.split("\n").filter((line) => line.includes("a file of this run itself"));
  expect({ code, denials: denials.length }).toEqual({ code: 0, denials: 6 });
  const read = (name: string) => readFileSync(join(place.dir.path, name), "utf8");
  expect(sessionLines(join(place.dir.path, "session.jsonl")).length).toBeGreaterThan(8);
  expect(JSON.parse(read("result.json"))).toMatchObject({ ok: true, text: "done" });
  expect(read("other.jsonl")).toBe("x");
});

test("a session that goes on, and its lock, are denied too; a file that is named is granted", async () => {
  await using place = await runPlace([
    textAnswer("first"),
    toolAnswer(...OWN.slice(0, 3).map(write)),
    textAnswer("done"),
  ]);
  await place.run(["--into", "session.jsonl", "hi"]);
  const flags = ["--allow-write=.,result.json", "--session", "session.jsonl", "--result", "result.json"];
  const { code, stderr } = await place.run([...flags, "go on"]);
  const denied = stderr.split("\n").filter((line) => line.includes("a file of this run itself"));
  expect({ code, denied: denied.length }).toEqual({ code: 0, denied: 2 });
});

test("the programs of tools and hooks are not for the run to write", async () => {
  await using place = await runPlace([toolAnswer(write("hook.sh"), write("tool.py")), textAnswer("done")]);
  place.dir.write("hook.sh", "touch kept");
  place.dir.write("tool.py", "pass");
  place.dir.write(
    "c.jsonc",
    `{ "hooks": { "agent_end": [{ "command": ["sh", "hook.sh"] }] }, "tools": [{ "name": "t", "description": "d",
       "parameters": { "type": "object" }, "command": ["python3", "./tool.py"] }] }`,
  );
  const { code, stderr } = await place.run(["--allow-write", "--config", "c.jsonc", "hi"]);
  const denied = stderr.split("\n").filter((line) => line.includes("a program of its tools and hooks"));
  expect({ code, denied: denied.length }).toEqual({ code: 0, denied: 2 });
  expect(existsSync(join(place.dir.path, "kept"))).toBe(true);
});

test("a run that may use git says which of its files a commit would take", async () => {
  await using place = await runPlace([textAnswer("1"), textAnswer("2"), textAnswer("3"), textAnswer("4")]);
  const { path: cwd } = place.dir;
  mkdirSync(join(cwd, "out"));
  spawnSync("git", ["init", "-q"], { cwd });
  const notices = async (...flags: readonly string[]) =>
    (await place.run([...flags, "hi"])).stderr.split("\n").filter((line) => line.includes("git add"));
  expect(await notices("--allow-run=git", "--into", "a.jsonl", "--result", "r.json")).toEqual([
    "agent: git add -A of the model would commit a.jsonl, a.jsonl.lock, r.json: keep what a run writes outside the repository, or in .gitignore",
  ]);
  expect(await notices("--allow-run=cat", "--into", "b.jsonl")).toEqual([]);
  expect(await notices("--allow-run", "--result", "../r.json")).toEqual([]);
  writeFileSync(join(cwd, ".gitignore"), "out/\n*.json\n");
  expect(await notices("--allow-run", "--into", "out/c.jsonl", "--result", "r.json")).toEqual([]);
});

test("a link that a command put in the place of the result or the recording is not followed", async () => {
  await using place = await runPlace([
    toolAnswer({ name: "bash", arguments: { command: "ln -sf victim r.json" } }),
    textAnswer("done"),
    toolAnswer({ name: "bash", arguments: { command: "ln -sf victim rec.jsonl" } }),
    textAnswer("done"),
  ]);
  place.dir.write("victim", "mine");
  const result = await place.run(["--allow-run", "--result", "r.json", "hi"]);
  expect([result.code, result.stderr]).toEqual([
    1,
    'agent: Cannot write the result to "r.json": it leads elsewhere than at the start\n',
  ]);
  expect((await place.run(["--allow-run", "--record", "rec.jsonl", "hi"])).code).toBe(1);
  expect(readFileSync(join(place.dir.path, "victim"), "utf8")).toBe("mine");
});
