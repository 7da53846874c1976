// `agent session convert`: any known session as our lines.

import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FIXTURES } from "../testing/conversion.ts";
import { runAgent } from "../testing/spawn.ts";
import { type TempDir, tempDir } from "../testing/temp.ts";

const agent = (dir: TempDir, args: readonly string[], stdin?: string | Uint8Array) =>
  runAgent(args, { cwd: dir.path, home: join(dir.path, "home"), ...(stdin === undefined ? {} : { stdin }) });
const fixture = (name: string) => join(FIXTURES, name);
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("session convert writes lines that session check finds nothing wrong with, for every format", async () => {
  using dir = tempDir();
  const names = readdirSync(FIXTURES).filter((name) => /^(claude|codex|opencode|gemini|copilot)/.test(name));
  const sessions = names.filter((name) => !/history|index/.test(name));
  expect(sessions.length).toBeGreaterThan(15);
  for (const name of sessions) {
    const converted = await agent(dir, ["session", "convert", fixture(name)]);
    expect([name, converted.code]).toEqual([name, 0]);
    expect(linesOf(converted.stdout)[0]).toMatchObject({ type: "session", version: 3 });
    const check = await agent(dir, ["session", "check", "-", "--output", "json"], converted.stdout);
    const { problems } = JSON.parse(check.stdout);
    const codes = problems.map(({ code }: { code: string }) => code);
    expect([name, codes.filter((code: string) => !/^(call|result)-without/.test(code))]).toEqual([name, []]);
  }
});

test("session convert tells on stderr what is in the file and what has no place, and nothing with --quiet", async () => {
  using dir = tempDir();
  const loud = await agent(dir, ["session", "convert", fixture("codex-v3.jsonl")]);
  expect(loud.stderr.split("\n")).toEqual([
    "agent: Codex CLI, third generation, written by 0.104.0: 13 messages (2 user, 6 assistant, 5 tool results), 6 tool calls",
    "agent: 1 call without a result",
    "agent: kept as custom entries: 1 git, 1 codex:task_started, 1 codex:task_complete, 1 codex:turn_aborted, 1 codex:ghost_snapshot",
    "agent: not in the converted session: 1 session_meta:instructions (bookkeeping), 1 event_msg:user_message (repeats), 5 event_msg:token_count (bookkeeping), 1 event_msg:agent_reasoning (repeats), 1 reasoning (empty), 1 event_msg:patch_apply_end (repeats), 1 event_msg:exec_command_end (repeats), 1 event_msg:agent_message (repeats)",
    "",
  ]);
  const quiet = await agent(dir, ["session", "convert", fixture("codex-v3.jsonl"), "--quiet"]);
  expect([quiet.stderr, quiet.stdout === loud.stdout]).toEqual(["", true]);
});

test("session convert reads stdin and gives the same as from the file", async () => {
  using dir = tempDir();
  const file = await agent(dir, ["session", "convert", fixture("claude-basic.jsonl")]);
  const pipe = await agent(dir, ["session", "convert", "-"], readFileSync(fixture("claude-basic.jsonl")));
  expect(pipe).toEqual(file);
});

test("session convert --output json is one document with its report", async () => {
  using dir = tempDir();
  const args = [
    "session",
    "convert",
    fixture("claude-subagents.jsonl"),
    "--subagents",
    "drop",
    "--output",
    "json",
  ];
  const { header, entries, report } = JSON.parse((await agent(dir, args)).stdout);
  expect([header.type, entries.length, report.counted]).toEqual([
    "session",
    9,
    [{ kind: "claude:subagent", reason: "dropped on request", count: 3 }],
  ]);
  const empty = await agent(
    dir,
    ["session", "convert", "-", "--output", "json"],
    '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/srv"}\n',
  );
  expect(JSON.parse(empty.stdout)).toMatchObject({ header: { id: "s" }, entries: [] });
});

test("session convert --into replaces a file whole, with the mode it had, and leaves nothing beside it", async () => {
  using dir = tempDir();
  const into = join(dir.path, "new.jsonl");
  const first = await agent(dir, ["session", "convert", fixture("gemini.json"), "--into", "new.jsonl"]);
  expect([first.code, first.stdout, statSync(into).mode & 0o777]).toEqual([0, "", 0o600]);
  const second = await agent(dir, [
    "session",
    "convert",
    fixture("copilot.jsonl"),
    "--into",
    "new.jsonl",
    "--output",
    "json",
  ]);
  expect(JSON.parse(second.stdout)).toMatchObject({ ok: true, path: into, report: { format: "copilot" } });
  const straight = await agent(dir, ["session", "convert", fixture("copilot.jsonl")]);
  expect(readFileSync(into, "utf8")).toBe(straight.stdout);
  expect(readdirSync(dir.path)).toEqual(["new.jsonl"]);
});

test("session convert --into leaves the old file as it was when the source is no session", async () => {
  using dir = tempDir();
  const into = dir.write("old.jsonl", "precious\n");
  const source = dir.write("notes.md", "# Notes\n");
  const result = await agent(dir, ["session", "convert", source, "--into", into]);
  expect([result.code, readFileSync(into, "utf8"), readdirSync(dir.path).toSorted()]).toEqual([
    65,
    "precious\n",
    ["notes.md", "old.jsonl"],
  ]);
});

test("session convert --into refuses the file that it reads, and a directory that is missing", async () => {
  using dir = tempDir();
  const source = dir.write("s.jsonl", readFileSync(fixture("claude-basic.jsonl")));
  expect(await agent(dir, ["session", "convert", source, "--into", "./s.jsonl"])).toMatchObject({ code: 2 });
  const missing = await agent(dir, ["session", "convert", source, "--into", "no/where.jsonl"]);
  expect([missing.code, missing.stderr.split("\n")[0]]).toEqual([
    66,
    `agent: Cannot write "${join(dir.path, "no/where.jsonl")}": its directory does not exist`,
  ]);
  expect(readFileSync(source)).toEqual(readFileSync(fixture("claude-basic.jsonl")));
});

test("session convert --into leaves a session alone that another process writes", async () => {
  using dir = tempDir();
  const into = dir.write("busy.jsonl", "precious\n");
  const holder = { pid: process.pid, host: "elsewhere.example.org", heartbeat: Date.now() };
  writeFileSync(`${into}.lock`, JSON.stringify(holder));
  const result = await agent(dir, ["session", "convert", fixture("gemini.json"), "--into", into]);
  expect([result.code, readFileSync(into, "utf8")]).toEqual([75, "precious\n"]);
  symlinkSync(into, join(dir.path, "link.jsonl"));
  const linked = await agent(dir, ["session", "convert", fixture("gemini.json"), "--into", "link.jsonl"]);
  expect([linked.code, readFileSync(into, "utf8")]).toEqual([75, "precious\n"]);
});

test("session convert says what an unknown file and a look-alike are, and what is known", async () => {
  using dir = tempDir();
  const known =
    "agent: A session is a file of one of these: pi and oh-my-pi (versions 1-3), Claude Code, Codex CLI (three generations), OpenCode exports, Gemini CLI, Copilot CLI.";
  const unknown = await agent(dir, ["session", "convert", "-"], '{"name":"kettle"}\n');
  expect([unknown.code, unknown.stdout, unknown.stderr.trimEnd().split("\n")]).toEqual([
    65,
    "",
    ['agent: Cannot read the session from stdin: it is JSON objects with the members "name"', known],
  ]);
  const history = await agent(dir, [
    "session",
    "convert",
    fixture("claude-history.jsonl"),
    "--output",
    "json",
  ]);
  expect([
    history.code,
    JSON.parse(history.stdout).error.kind,
    history.stderr.includes("prompt history"),
  ]).toEqual([65, "input", true]);
});

test("session convert brings version 1 to version 3, with ids, parents and the compaction's first entry", async () => {
  using dir = tempDir();
  const message = (content: string) => ({
    type: "message",
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { role: "user", content, timestamp: 1 },
  });
  const lines = [
    {
      type: "session",
      id: "s1",
      timestamp: "2026-01-01T00:00:00.000Z",
      cwd: "/srv",
      provider: "p",
      modelId: "m",
    },
    message("one"),
    message("two"),
    {
      type: "compaction",
      timestamp: "2026-01-01T00:00:00.000Z",
      summary: "so far",
      firstKeptEntryIndex: 2,
      tokensBefore: 7,
    },
    message("three"),
  ];
  const source = dir.write("v1.jsonl", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const [header, ...entries] = linesOf((await agent(dir, ["session", "convert", source])).stdout);
  expect(header).toEqual({ ...lines[0], version: 3 });
  expect(entries.map((entry) => entry.parentId)).toEqual([
    null,
    ...entries.slice(0, -1).map((entry) => entry.id),
  ]);
  expect(entries[2]).toMatchObject({ firstKeptEntryId: entries[1].id });
  expect(existsSync(`${source}.lock`)).toBe(false);
});

test("session convert keeps the bytes of sound lines, and puts the header first", async () => {
  using dir = tempDir();
  const header =
    '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/srv","extra":{"z":1}}';
  const odd =
    '{ "type" : "mode_change",  "id":"00000001", "parentId":null, "timestamp":"2026-01-01T00:00:00Z", "n":1e2 }';
  const late =
    '{"type":"label","id":"00000002","parentId":"00000001","timestamp":"2026-01-01T00:00:00Z","targetId":"00000001"}';
  const { stdout } = await agent(dir, ["session", "convert", "-"], `${odd}\n${header}\n${late}\n`);
  expect(linesOf(stdout).map((line) => line.type)).toEqual(["session", "mode_change", "label"]);
  expect(stdout.split("\n").slice(1, 3)).toEqual([odd, late]);
});
