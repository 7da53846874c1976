// What the system is asked to do when a run records: one write for each append, and a sync before the end. Seen by
// `strace`; where that is missing, the test says so and is skipped.

import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { AGENT_BINARY } from "../testing/spawn.ts";
import { tempDir } from "../testing/temp.ts";

const noStrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status !== 0;
if (noStrace) console.error("session-write: skipped: strace does not run here");

test.skipIf(noStrace)(
  "run records each message with one write of whole lines, and syncs the file and its directories",
  () => {
    using dir = tempDir();
    const long = "x".repeat(3_000_000);
    dir.write(
      "r.jsonl",
      [
        { type: "text_delta", delta: long },
        { type: "toolcall", name: "ls", id: "c", arguments: { path: "." } },
        { type: "done" },
        { type: "text_delta", delta: "done" },
        { type: "done" },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(""),
    );
    const args = ["run", "--model", "replay:r.jsonl", "--into", "made/here/s.jsonl", "--no-stdin", "go"];
    const { status } = spawnSync(
      "strace",
      [
        // A file for each thread: in one, a call that another thread cuts in two has its result on a later line.
        "-ff",
        "-y",
        "-e",
        "trace=write,pwrite64,writev,fsync,link,linkat",
        "-o",
        "trace",
        AGENT_BINARY,
        ...args,
      ],
      { cwd: dir.path, env: { PATH: process.env["PATH"] ?? "", HOME: dir.path }, stdio: "ignore" },
    );
    expect(status).toBe(0);
    const calls = readdirSync(dir.path)
      .filter((name) => name.startsWith("trace."))
      .sort()
      .flatMap((name) => readFileSync(join(dir.path, name), "utf8").split("\n"));
    const session = readFileSync(join(dir.path, "made/here/s.jsonl"), "utf8");
    // The first write is under another name, before the file gets its own.
    const writes = calls.filter((call) => /write\w*\(\d+<[^>]*s\.jsonl[^>]*>, "\{\\"type\\"/.test(call));
    const bytes = writes.map((call) => Number(/= (\d+)$/.exec(call)?.[1]));
    const lines = session
      .split("\n")
      .slice(0, -1)
      .map((line) => Buffer.byteLength(line) + 1);
    // Header first, what changes with the run and its message; then a message a write, of whatever size.
    expect(bytes.reduce((sum, count) => sum + count, 0)).toBe(Buffer.byteLength(session));
    expect(bytes).toContain(lines[lines.length - 3] ?? 0);
    expect(bytes.at(-1)).toBe(lines.at(-1) ?? 0);
    expect(lines.some((length) => length > long.length && bytes.includes(length))).toBe(true);
    // Its first content is on the disk before it has its name.
    const first = calls.findIndex((call) => /fsync\(\d+<[^>]*\/\.s\.jsonl\.[0-9a-f]+>/.test(call));
    const named = calls.findIndex((call) => /link.*"[^"]*\/s\.jsonl"/.test(call));
    expect(first).toBeGreaterThan(-1);
    expect(named).toBeGreaterThan(first);
    // The file, the directory that has its name, and those that have the names of the directories made for it.
    const synced = calls.map((call) => /fsync\(\d+<([^>]*)>/.exec(call)?.[1]);
    for (const path of ["made/here/s.jsonl", "made/here", "made", ""])
      expect(synced).toContain(join(realpathSync(dir.path), path));
  },
);
