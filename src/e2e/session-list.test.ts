// `session list`, and the names by which every command finds a session.

import { expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { sessionPlace } from "../testing/session-place.ts";
import { HEADER, jsonl } from "../testing/session-text.ts";
import { runAgent } from "../testing/spawn.ts";

test("session list shows this directory's sessions, and finds them by every name", async () => {
  using at = sessionPlace();
  at.dir.write("r.jsonl", '{"type":"text_delta","delta":"hello"}\n{"type":"done"}\n');
  const options = { cwd: at.dir.path, home: join(at.dir.path, "..") };
  for (const name of ["first", "second"])
    await runAgent(
      ["run", "--model", "replay:r.jsonl", "--name", name, "--no-stdin", `the ${name} prompt`],
      options,
    );
  const list = await at.session(["list", "--output", "json"]);
  const sessions = JSON.parse(list.stdout);
  expect(sessions).toMatchObject([
    { name: "second", firstPrompt: "the second prompt", messages: 2, format: "pi-v3", cwd: at.dir.path },
    { name: "first", firstPrompt: "the first prompt", messages: 2 },
  ]);
  const table = (await at.session(["list"])).stdout.split("\n");
  expect(table[0]).toMatch(/^ID +MODIFIED +MESSAGES +NAME OR FIRST PROMPT$/);
  expect(table[1]).toMatch(/ 2 +second$/);
  const lines = (await at.session(["list", "--output", "jsonl"])).stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.at(-1)).toEqual({ type: "result", ok: true, exitCode: 0, sessions: 2 });
  // The beginning of an id that the table shows is one that the command line takes.
  const short = table[1]?.split(" ")[0] ?? "";
  for (const text of [short, sessions[0].id, sessions[0].path, "latest"])
    expect((await at.session(["show", text])).stdout).toContain("the second prompt");
  utimesSync(sessions[1].path, Date.now() / 1000 + 60, Date.now() / 1000 + 60);
  expect((await at.session(["show", "latest"])).stdout).toContain("the first prompt");
});

test("session list says so when there is nothing, and --all looks everywhere", async () => {
  using at = sessionPlace();
  const { code, stdout, stderr } = await at.session(["list"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toContain("--all shows those of every directory");
  expect((await at.session(["list", "--output", "json"])).stdout).toBe("[]\n");
});

test("a <session> that is not there is 66, a prefix that is ambiguous or too short is 2", async () => {
  using at = sessionPlace();
  for (const text of ["none.jsonl", "./none", "latest", "abcdef"])
    expect(await at.session(["show", text])).toMatchObject({ code: 66, stdout: "" });
  expect(await at.session(["show", "abc"])).toMatchObject({ code: 2 });
  expect(await at.session(["show"])).toMatchObject({ code: 2 });
  const store = "agent/sessions/x";
  for (const id of ["abcd0001", "abcd0002"])
    at.dir.write(`../${store}/t_${id}.jsonl`, jsonl({ ...HEADER, id }));
  const { code, stderr } = await at.session(["show", "abcd"]);
  expect(code).toBe(2);
  expect(stderr).toContain('"abcd" is the beginning of 2 session ids\nagent: abcd000');
});

test("session list gives each session one line, whatever it says of itself", async () => {
  using at = sessionPlace();
  const header = { ...HEADER, id: "two\nlines", title: "a\ntitle", cwd: "/a\nplace" };
  at.dir.write("../agent/sessions/x/t_one.jsonl", jsonl(header));
  const { stdout } = await at.session(["list", "--all"]);
  expect(stdout.trimEnd().split("\n").length).toBe(2);
});
