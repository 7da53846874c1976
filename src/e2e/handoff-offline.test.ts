// `agent handoff` without a model: the document, the new session, and what is never touched.

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { handoffPlace } from "../testing/handoff-command.ts";
import { assistantEntry, HEADER, jsonl, userEntry } from "../testing/session-text.ts";

const OFFLINE = ["--engine", "offline"] as const;

test("handoff prints the document, and says on stderr which new session begins with it", async () => {
  await using place = await handoffPlace("auth-refactor");
  const before = readFileSync(place.path, "utf8");
  const result = await place.run(["handoff", "old.jsonl", ...OFFLINE]);
  expect(result.code).toBe(0);
  expect(result.stdout).toStartWith("# Handoff\n");
  for (const heading of [
    "## Goal",
    "## Constraints & Preferences",
    "## Progress",
    "### Done",
    "### In Progress",
    "### Pending",
    "## Key Decisions",
    "## Critical Context",
    "## Next Steps",
    "## Evidence",
  ]) {
    expect(result.stdout).toContain(`\n${heading}\n`);
  }
  const [[header, entry, ...more] = []] = place.stored();
  expect(more).toEqual([]);
  expect(result.stderr).toBe(
    `agent: New session started with handoff context: ${header?.["id"]} ${newPath(result.stderr)}\n`,
  );
  expect(header).toMatchObject({
    type: "session",
    version: 3,
    parentSession: oldId(before),
    cwd: place.dir.path,
  });
  expect(entry).toEqual({
    type: "custom_message",
    id: expect.stringMatching(/^[0-9a-f]{8}$/),
    parentId: null,
    timestamp: expect.any(String),
    customType: "handoff",
    display: true,
    content: `<handoff-context>\n${result.stdout}\n</handoff-context>\n\nThe above is a handoff document from a previous session. Use this context to continue the work seamlessly.`,
  });
  expect(readFileSync(place.path, "utf8")).toBe(before);
  expect(existsSync(`${place.path}.lock`)).toBe(false);
});

function newPath(stderr: string): string {
  const path = / (\/\S+\.jsonl)\n$/.exec(stderr)?.[1] ?? "";
  expect(existsSync(path)).toBe(true);
  return path;
}

function oldId(text: string): string {
  return JSON.parse(text.split("\n")[0] ?? "").id;
}

test("handoff is deterministic to the byte", async () => {
  await using place = await handoffPlace("tool-heavy");
  const runs = await Promise.all(
    [1, 2, 3].map(() => place.run(["handoff", "old.jsonl", ...OFFLINE, "--no-session"])),
  );
  expect(new Set(runs.map((run) => run.stdout)).size).toBe(1);
  expect(place.stored()).toEqual([]);
});

test("handoff has nothing to hand off with fewer than two messages", async () => {
  await using place = await handoffPlace(jsonl(HEADER, userEntry("a", null)));
  const result = await place.run(["handoff", "old.jsonl", ...OFFLINE]);
  expect(result).toMatchObject({
    code: 4,
    stdout: "",
    stderr: "agent: Nothing to hand off (no messages yet)\n",
  });
  expect(place.stored()).toEqual([]);
});

test("handoff says that a session has problems, also where they leave it nothing to hand off", async () => {
  const lines = [HEADER, userEntry("a", null), assistantEntry("b", "a"), "no JSON"];
  await using place = await handoffPlace(jsonl(...lines));
  const says = "agent session check says which";
  expect(await place.run(["handoff", "old.jsonl", ...OFFLINE, "--no-session"])).toMatchObject({
    code: 0,
    stderr: `agent: warning: the session has 1 problem; ${says}\n`,
  });
  await using empty = await handoffPlace(jsonl(HEADER, userEntry("a", null), "no JSON"));
  expect(await empty.run(["handoff", "old.jsonl", ...OFFLINE])).toMatchObject({
    code: 4,
    stderr: `agent: Nothing to hand off (no messages yet)\nagent: The session has 1 problem: ${says}.\n`,
  });
});

test("handoff writes the new session where --into says, and never over something", async () => {
  await using place = await handoffPlace("short");
  const into = join(place.dir.path, "next.jsonl");
  const first = await place.run(["handoff", "old.jsonl", ...OFFLINE, "--into", "next.jsonl"]);
  expect(first.stderr).toEndWith(` ${into}\n`);
  const made = readFileSync(into, "utf8");
  const second = await place.run(["handoff", "old.jsonl", ...OFFLINE, "--into", "next.jsonl"]);
  expect(second).toMatchObject({ code: 2, stdout: "" });
  expect(readFileSync(into, "utf8")).toBe(made);
  expect(place.stored()).toEqual([]);
});

test("handoff keeps the old session's directory if it is here", async () => {
  await using place = await handoffPlace("short");
  const cwd = join(place.dir.path, "work");
  mkdirSync(cwd);
  const text = readFileSync(place.path, "utf8").replace("/home/sam/dotfiles", cwd);
  await place.run(["handoff", "-", ...OFFLINE], { stdin: text });
  expect(place.stored()[0]?.[0]).toMatchObject({ cwd });
});

test("handoff gives one JSON document with sections, evidence and where the new session is", async () => {
  await using place = await handoffPlace("auth-refactor");
  const result = await place.run(["handoff", "old.jsonl", ...OFFLINE, "--output", "json"]);
  const value = JSON.parse(result.stdout);
  expect(Object.keys(value)).toEqual([
    "document",
    "sections",
    "missing",
    "engine",
    "evidence",
    "unverified",
    "source",
    "session",
    "usage",
  ]);
  expect(Object.keys(value.sections)).toEqual([
    "Goal",
    "Constraints & Preferences",
    "Progress",
    "Key Decisions",
    "Critical Context",
    "Next Steps",
  ]);
  expect(Object.keys(value.evidence)).toEqual([
    "files",
    "commands",
    "failing",
    "lastError",
    "tasks",
    "commits",
    "requests",
    "git",
    "tests",
    "constraints",
    "decisions",
    "modelErrors",
    "rules",
  ]);
  // What stands behind the sections has headings of its own, and is no part of them.
  expect(Object.values(value.sections).join("\n")).not.toMatch(/^(?:\*\*|Left out)/m);
  expect(value.evidence.failing.map((item: { command: string }) => item.command)).toEqual([
    "bun run test:e2e",
  ]);
  expect(value.evidence.git).toMatchObject({ branch: "feat/signed-tokens", commit: "4be19c2" });
  expect(value).toMatchObject({
    missing: [],
    engine: "offline",
    unverified: [],
    source: { path: place.path, format: "pi-v3" },
    session: { path: expect.stringMatching(/\.jsonl$/) },
  });
});

test("handoff shows proof that session show finds by the entry id", async () => {
  await using place = await handoffPlace("interrupted");
  const result = await place.run(["handoff", "old.jsonl", ...OFFLINE, "--no-session"]);
  const known = new Set(
    readFileSync(place.path, "utf8")
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [JSON.parse(line).id])),
  );
  const named = [...result.stdout.matchAll(/ \[([0-9a-f]{8})\]$/gm)].map(([, id]) => id);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((id) => !known.has(id))).toEqual([]);
});

test("handoff keeps to its budget and says what it left out", async () => {
  await using place = await handoffPlace("long");
  for (const budget of [500, 1000, 2000]) {
    const { stdout } = await place.run([
      "handoff",
      "old.jsonl",
      ...OFFLINE,
      "--no-session",
      "--budget",
      String(budget),
    ]);
    expect(Math.ceil(Buffer.byteLength(stdout) / 4)).toBeLessThanOrEqual(budget);
    expect(stdout).toMatch(/Left out to keep to \d+ tokens: /);
  }
});

test("handoff refuses flags that exclude each other, and more than one session", async () => {
  await using place = await handoffPlace("short");
  for (const args of [
    ["--into", "x.jsonl", "--no-session"],
    ["--into", "x.jsonl", "--output", "session"],
    ["second.jsonl"],
  ]) {
    const result = await place.run(["handoff", "old.jsonl", ...OFFLINE, ...args]);
    expect(result).toMatchObject({ code: 2, stdout: "" });
  }
  expect((await place.run(["handoff", ...OFFLINE])).code).toBe(2);
});
