// Other agents' sessions work wherever a session is read, and are never written to.

import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FIXTURES } from "../testing/conversion.ts";
import { textAnswer } from "../testing/fake-answers.ts";
import { runPlace, sessionLines } from "../testing/run-command.ts";
import { runAgent } from "../testing/spawn.ts";
import { type TempDir, tempDir } from "../testing/temp.ts";

const agent = (dir: TempDir, args: readonly string[], stdin?: string | Uint8Array) =>
  runAgent(args, { cwd: dir.path, home: join(dir.path, "home"), ...(stdin === undefined ? {} : { stdin }) });

const SOURCES = [
  "claude-basic.jsonl",
  "codex-v1.json",
  "codex-v2.jsonl",
  "codex-v3.jsonl",
  "opencode.json",
  "gemini.jsonl",
  "copilot.jsonl",
];

test("handoff, session show, check and stats read each agent's file and leave its bytes alone", async () => {
  using dir = tempDir();
  for (const name of SOURCES) {
    const bytes = readFileSync(join(FIXTURES, name));
    const path = dir.write(`${name}.copy.jsonl`, bytes);
    const format = name.replace(/(-basic)?\.jsonl?$/, "");
    const show = await agent(dir, ["session", "show", path, "--output", "json"]);
    const stats = await agent(dir, ["session", "stats", path, "--output", "json"]);
    const check = await agent(dir, ["session", "check", path, "--output", "json"]);
    const handoff = await agent(dir, [
      "handoff",
      path,
      "--engine",
      "offline",
      "--no-session",
      "--output",
      "json",
    ]);
    expect([name, show.code, stats.code, check.code, handoff.code]).toEqual([name, 0, 0, 0, 0]);
    expect(JSON.parse(stats.stdout).format).toBe(format);
    expect(JSON.parse(check.stdout).report.messages).toEqual(JSON.parse(stats.stdout).messages);
    expect(JSON.parse(handoff.stdout).source).toMatchObject({ format, path });
    expect(readFileSync(path)).toEqual(bytes);
  }
});

test("session check of another agent's file says what it holds, and what was skipped and why", async () => {
  using dir = tempDir();
  const text = readFileSync(join(FIXTURES, "codex-v2.jsonl"), "utf8");
  const path = dir.write(
    "damaged.jsonl",
    `${text.split("\n").slice(0, 5).join("\n")}\nnot json\n${text.slice(0, 20)}`,
  );
  const { code, stdout } = await agent(dir, ["session", "check", path]);
  expect([
    code,
    stdout
      .replaceAll(path, "FILE")
      .split("\n")
      .filter((line) => !line.startsWith("    ")),
  ]).toEqual([
    3,
    [
      "Codex CLI, second generation: 1 message (1 user, 0 assistant, 0 tool results), 0 tool calls",
      "kept as custom entries: 1 git",
      "not in the converted session: 2 record:state (bookkeeping)",
      "FILE:6: error not-json: the line is not JSON",
      "FILE:7: error torn-line: the last object is cut off",
      "",
    ],
  ]);
});

test("rules test reads the answers of another agent's session", async () => {
  using dir = tempDir();
  dir.write(".agent/rules/no-whistle.md", "---\ncondition: whistles\n---\nDo not whistle.\n");
  const result = await agent(dir, [
    "rules",
    "test",
    "--session",
    join(FIXTURES, "claude-basic.jsonl"),
    "--output",
    "json",
  ]);
  const { matches } = JSON.parse(result.stdout);
  expect([result.code, matches.map((match: { text: string }) => match.text)]).toEqual([3, ["whistles"]]);
});

test("run --session and --fork on another agent's file go on in a new session of ours", async () => {
  await using place = await runPlace([textAnswer("Gladly."), textAnswer("Again.")]);
  const bytes = readFileSync(join(FIXTURES, "claude-basic.jsonl"));
  const path = place.dir.write("claude.jsonl", bytes);
  const first = await place.run(["--session", path, "Make it louder."]);
  expect([first.code, first.stdout]).toEqual([0, "Gladly.\n"]);
  const [header, ...entries] = sessionLines(place.sessions()[0] ?? "");
  expect(header).toMatchObject({ parentSession: "7c1f0d52-9a44-4d0e-8f5b-0e6c1c5b2a10" });
  expect(entries.length).toBeGreaterThan(17);
  expect((await place.run(["--fork", path, "And louder."])).code).toBe(0);
  expect([readFileSync(path), place.sessions().length]).toEqual([bytes, 2]);
  const sent = JSON.stringify(place.server.chats()[0]?.body["messages"]);
  expect(sent).toContain("Make the kettle whistle when the water boils.");
});

/** A home with two Claude Code sessions of a directory, the second one newer, and one of another directory. */
function claudeHome(dir: TempDir): string {
  const project = join(dir.path, "project");
  mkdirSync(project);
  const folder = `home/.claude/projects/${project.replace(/[^A-Za-z0-9]/g, "-")}`;
  const write = (name: string, id: string, cwd: string) => {
    const text = readFileSync(join(FIXTURES, name), "utf8");
    dir.write(
      `${folder}/${id}.jsonl`,
      text.replaceAll("/srv/kettle", cwd).replaceAll(/7c1f0d52-[0-9a-f-]{27}/g, id),
    );
  };
  write("claude-rewind.jsonl", "aaaa1111-0000-4000-8000-000000000000", "/srv/elsewhere");
  write("claude-compact.jsonl", "aaaa2222-0000-4000-8000-000000000000", project);
  write("claude-basic.jsonl", "bbbb3333-0000-4000-8000-000000000000", project);
  // Opened and closed again: the newest, but nobody's latest.
  write("claude-only-errors.jsonl", "cccc4444-0000-4000-8000-000000000000", project);
  return project;
}

test("--from finds an agent's sessions of this directory: latest, ids and lists", async () => {
  using dir = tempDir();
  const cwd = claudeHome(dir);
  const run = (...args: readonly string[]) => runAgent(args, { cwd, home: join(dir.path, "home") });
  const list = await run("session", "list", "--from", "claude", "--output", "json");
  expect(
    JSON.parse(list.stdout).map(({ id, format, messages, name, firstPrompt }: Record<string, unknown>) => ({
      id,
      format,
      messages,
      name,
      firstPrompt,
    })),
  ).toEqual([
    { id: "cccc4444-0000-4000-8000-000000000000", format: "claude", messages: 0, firstPrompt: "" },
    {
      id: "bbbb3333-0000-4000-8000-000000000000",
      format: "claude",
      messages: 7,
      name: "A whistling kettle",
      firstPrompt: "Make the kettle whistle when the water boils.",
    },
    {
      id: "aaaa2222-0000-4000-8000-000000000000",
      format: "claude",
      messages: 7,
      name: undefined,
      firstPrompt: "First task.",
    },
  ]);
  const handoff = await run(
    "handoff",
    "latest",
    "--from",
    "claude",
    "--engine",
    "offline",
    "--output",
    "json",
  );
  expect(JSON.parse(handoff.stdout).source.id).toBe("bbbb3333-0000-4000-8000-000000000000");
  const stats = await run("session", "stats", "aaaa1", "--from", "claude", "--output", "json");
  expect(JSON.parse(stats.stdout)).toMatchObject({ id: "aaaa1111-0000-4000-8000-000000000000" });
});

test("--from is an error for a path, an unknown agent, and where the agent has nothing", async () => {
  using dir = tempDir();
  writeFileSync(join(dir.path, "s.jsonl"), "");
  const codes = await Promise.all(
    [
      ["session", "show", "s.jsonl", "--from", "claude"],
      ["session", "show", "latest", "--from", "cluade"],
      ["session", "show", "latest", "--from", "codex"],
      ["session", "show", "0000", "--from", "omp"],
      ["session", "list", "--from", "gemini"],
    ].map(async (args) => (await agent(dir, args)).code),
  );
  expect(codes).toEqual([2, 2, 66, 66, 0]);
});

test("--from opencode says that its database is not read, and how to get a session out of it", async () => {
  using dir = tempDir();
  const path = dir.write("home/.local/share/opencode/opencode.db", "SQLite format 3\0");
  const says = `agent: warning: ${path} is not read; OpenCode writes a session of it into a file: opencode export <id> > session.json\n`;
  const list = await agent(dir, ["session", "list", "--from", "opencode"]);
  expect([list.code, list.stderr.startsWith(says)]).toEqual([0, true]);
  const latest = await agent(dir, ["handoff", "latest", "--from", "opencode"]);
  expect([latest.code, latest.stderr.startsWith(says)]).toEqual([66, true]);
});
