// Where a run's session comes from and where it goes.

import { expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { chunk, textAnswer, toolAnswer } from "../testing/fake-answers.ts";
import { branchOutline, parseLines, runPlace, sessionLines } from "../testing/run-command.ts";
import { until } from "../testing/until.ts";

test("run goes on in a session by path, by id, by its beginning and as latest", async () => {
  await using place = await runPlace(Array.from({ length: 5 }, (_, index) => textAnswer(`answer ${index}`)));
  await place.run(["first", "--name", "my session"]);
  const [path = ""] = place.sessions();
  const id = String(sessionLines(path)[0]?.["id"]);
  for (const session of [path, id, id.slice(0, 13), "latest"]) {
    expect((await place.run(["--session", session, "more"])).code).toBe(0);
  }
  expect(place.sessions()).toEqual([path]);
  const lines = sessionLines(path);
  expect(lines.filter(({ type }) => type === "session_info")).toMatchObject([{ name: "my session" }]);
  expect(lines.filter(({ type }) => type === "model_change").length).toBe(1);
  const sent = place.server.chats()[4]?.body["messages"];
  expect(Array.isArray(sent) && sent.length).toBe(10);
});

test("run --continue goes on in the newest session of this directory, and is an error without one", async () => {
  await using place = await runPlace([textAnswer("one"), textAnswer("two")]);
  expect(await place.run(["--continue", "hi"])).toMatchObject({ code: 66, stdout: "" });
  await place.run(["first"]);
  await place.run(["--continue", "second"]);
  expect(branchOutline(place.session())).toEqual([
    "model_change",
    "user: first",
    "assistant: one",
    "user: second",
    "assistant: two",
  ]);
});

test("run --fork copies a branch up to an entry into a new session", async () => {
  await using place = await runPlace([textAnswer("one"), textAnswer("two"), textAnswer("three")]);
  await place.run(["first"]);
  await place.run(["--continue", "second"]);
  const [path = ""] = place.sessions();
  const before = readFileSync(path, "utf8");
  const lines = sessionLines(path);
  const entry = lines.find(({ message }) => JSON.stringify(message)?.includes('"one"'))?.["id"];
  const result = await place.run([
    "--fork",
    `latest:${String(entry).slice(0, 6)}`,
    "--into",
    "fork.jsonl",
    "other",
  ]);
  expect(result.stdout).toBe("three\n");
  const fork = sessionLines(`${place.dir.path}/fork.jsonl`);
  expect(fork[0]).toMatchObject({ parentSession: lines[0]?.["id"] });
  expect(branchOutline(fork)).toEqual([
    "model_change",
    "user: first",
    "assistant: one",
    "user: other",
    "assistant: three",
  ]);
  expect(readFileSync(path, "utf8")).toBe(before);
  expect((await place.run(["--fork", "latest:ffffffff", "x"])).code).toBe(66);
});

test("run --no-session records nothing", async () => {
  await using place = await runPlace([textAnswer("one")]);
  expect((await place.run(["--no-session", "hi"])).stdout).toBe("one\n");
  expect(place.sessions()).toEqual([]);
});

test("run --session - goes on from stdin and, with --output session, gives the same session on stdout", async () => {
  await using place = await runPlace([textAnswer("one"), textAnswer("two"), textAnswer("three")]);
  const first = await place.run(["--output", "session", "first"]);
  const second = await place.run(["--session", "-", "--output", "session", "second"], {
    stdin: first.stdout,
  });
  expect(second.stdout).toStartWith(first.stdout);
  expect(branchOutline(parseLines(second.stdout)).slice(-2)).toEqual(["user: second", "assistant: two"]);
  expect(place.sessions()).toEqual([]);
  await place.run(["--session", "-", "third"], { stdin: second.stdout });
  expect(place.session()[0]).toMatchObject({ parentSession: parseLines(first.stdout)[0]?.["id"] });
});

test("run --into refuses a place where something is", async () => {
  await using place = await runPlace();
  place.dir.write("there.jsonl", "mine\n");
  expect((await place.run(["--into", "there.jsonl", "hi"])).code).toBe(2);
  expect(readFileSync(`${place.dir.path}/there.jsonl`, "utf8")).toBe("mine\n");
});

test("run without a home directory writes nothing into the working directory, and says what it needs", async () => {
  await using place = await runPlace([textAnswer("a"), textAnswer("b")]);
  const env = { HOME: "", AGENT_HOME: "" };
  const refused = await place.run(["hi"], { env });
  expect([refused.code, refused.stderr]).toEqual([
    78,
    "agent: There is no place for sessions: HOME is not set\nagent: Set HOME or AGENT_HOME; agent run --no-session and --into need neither.\n",
  ]);
  expect((await place.run(["--no-session", "hi"], { env })).code).toBe(0);
  expect((await place.run(["--into", "s.jsonl", "hi"], { env })).code).toBe(0);
  expect(readdirSync(place.dir.path)).toEqual(["s.jsonl"]);
});

test("run keeps sessions where a relative AGENT_HOME is, whatever --cwd says", async () => {
  await using place = await runPlace([textAnswer("a")]);
  place.dir.write("sub/keep", "");
  const env = { AGENT_HOME: "own" };
  const { stdout } = await place.run(["--cwd", "sub", "--output", "json", "hi"], { env });
  expect(JSON.parse(stdout).sessionPath).toStartWith(`${place.dir.path}/own/sessions/`);
  expect(readdirSync(`${place.dir.path}/sub`)).toEqual(["keep"]);
});

test("run refuses flags that exclude one another", async () => {
  await using place = await runPlace();
  for (const flags of [
    ["--session", "x.jsonl", "--continue"],
    ["--continue", "--fork", "latest"],
    ["--no-session", "--into", "x"],
    ["--output", "session", "--into", "x"],
    ["--from", "claude"],
  ]) {
    expect((await place.run([...flags, "hi"])).code).toBe(2);
  }
});

test("run waits for a session in use as long as --wait says, and gives 75 with the holder", async () => {
  await using place = await runPlace([{ lines: [chunk({ content: "half" })], ending: "open" }]);
  const running = place.start(["--output", "jsonl", "--into", "s.jsonl", "hi"]);
  await place.server.chat(0);
  const second = await place.run(["--session", "s.jsonl", "hi"]);
  expect(second.code).toBe(75);
  expect(second.stderr).toContain(String(running.child.pid));
  running.child.kill("SIGTERM");
  await running.result;
});

test("run with --wait goes on when the other process has ended", async () => {
  const half = { lines: [chunk({ content: "half" })], ending: "open" } as const;
  await using place = await runPlace([half, textAnswer("two")]);
  const first = place.start(["--output", "jsonl", "--into", "s.jsonl", "one"]);
  await place.server.chat(0);
  await until(() => first.stdout().includes("half"));
  const second = place.start(["--session", "s.jsonl", "--wait", "30s", "two"]);
  await Bun.sleep(300);
  expect(place.server.chats().length).toBe(1);
  first.child.kill("SIGTERM");
  expect(await second.result).toMatchObject({ code: 0, stdout: "two\n" });
  expect(branchOutline(sessionLines(`${place.dir.path}/s.jsonl`)).slice(1)).toEqual([
    "user: one",
    "assistant: half",
    "user: two",
    "assistant: two",
  ]);
});

test("run goes on in a session whose run was killed between a call and its result", async () => {
  await using place = await runPlace([
    toolAnswer({ name: "ls", arguments: {} }),
    textAnswer("one"),
    textAnswer("two"),
  ]);
  await place.run(["--into", "s.jsonl", "look"]);
  const path = `${place.dir.path}/s.jsonl`;
  const lines = readFileSync(path, "utf8").split("\n");
  const call = lines.findIndex((line) => line.includes('"toolCall"'));
  writeFileSync(path, `${lines.slice(0, call + 1).join("\n")}\n`);
  expect((await place.run(["--session", "s.jsonl", "go on"])).stdout).toBe("two\n");
  expect(branchOutline(sessionLines(path))).toEqual([
    "model_change",
    "user: look",
    "assistant: (toolCall ls)",
    "toolResult: No result: the run ended before this call did.",
    "user: go on",
    "assistant: two",
  ]);
  expect(place.server.chats()[2]?.body["messages"]).toMatchObject([
    { role: "system" },
    { role: "user" },
    { role: "assistant" },
    { role: "tool" },
    { role: "user", content: "go on" },
  ]);
});

test("run takes a session of another machine, whose directory is not here", async () => {
  await using place = await runPlace([textAnswer("one"), textAnswer("two")]);
  await place.run(["--into", "s.jsonl", "first"]);
  const path = `${place.dir.path}/s.jsonl`;
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(place.dir.path, "/no/such/place"));
  const result = await place.run(["--session", "s.jsonl", "second"]);
  expect(result.stdout).toBe("two\n");
  expect(result.stderr).toContain("/no/such/place is not here");
});

test("run starts a new session from one of an old version, and says so", async () => {
  await using place = await runPlace([textAnswer("two")]);
  const lines = [
    { type: "session", id: "old-1", timestamp: "2026-01-01T00:00:00.000Z", cwd: place.dir.path },
    {
      type: "message",
      timestamp: "2026-01-01T00:00:01.000Z",
      message: { role: "user", content: "first", timestamp: 1 },
    },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  place.dir.write("old.jsonl", text);
  const result = await place.run(["--session", "old.jsonl", "second"]);
  expect(result.stdout).toBe("two\n");
  expect(result.stderr).toContain("goes on in a new file");
  expect(place.session()[0]).toMatchObject({ version: 3, parentSession: "old-1" });
  expect(branchOutline(place.session())).toEqual([
    "user: first",
    "model_change",
    "user: second",
    "assistant: two",
  ]);
  expect(readFileSync(`${place.dir.path}/old.jsonl`, "utf8")).toBe(text);
});

test("run writes nothing to a read-only session, not even as root, and goes on in a new one", async () => {
  await using place = await runPlace([textAnswer("one"), textAnswer("two")]);
  await place.run(["--into", "s.jsonl", "first"]);
  const path = `${place.dir.path}/s.jsonl`;
  chmodSync(path, 0o444);
  const before = readFileSync(path, "utf8");
  const result = await place.run(["--session", "s.jsonl", "second"]);
  expect(result.stdout).toBe("two\n");
  expect(result.stderr).toContain("goes on in a new file: it is read-only");
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(branchOutline(place.session()).slice(-2)).toEqual(["user: second", "assistant: two"]);
});

test("run uses the session's own model unless another is named", async () => {
  await using place = await runPlace([textAnswer("one"), textAnswer("two")], {
    models: [{ name: "fake" }, { name: "other" }],
  });
  await place.run(["--into", "s.jsonl", "first"], { model: "other" });
  const { runAgent } = await import("../testing/spawn.ts");
  await runAgent(["run", "--host", place.server.url, "--session", "s.jsonl", "second"], {
    cwd: place.dir.path,
    home: place.dir.path,
  });
  expect(place.server.chats().map(({ body }) => body["model"])).toEqual(["other", "other"]);
});

test("run ends with an error when its session file is removed, and makes no new one", async () => {
  await using place = await runPlace([
    (_request) => {
      Bun.spawnSync(["rm", `${place.dir.path}/s.jsonl`]);
      return textAnswer("one");
    },
  ]);
  const result = await place.run(["--into", "s.jsonl", "hi"]);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain("the file was removed");
  expect(await Bun.file(`${place.dir.path}/s.jsonl`).exists()).toBe(false);
});
