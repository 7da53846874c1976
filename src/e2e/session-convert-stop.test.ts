// What stops `session convert` leaves the old file, and nothing else, behind.

import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixtureBytes } from "../testing/conversion.ts";
import { runAgent, startAgent } from "../testing/spawn.ts";
import { tempDir } from "../testing/temp.ts";
import { until } from "../testing/until.ts";

test("session convert --into ended by a signal leaves the old file as it was", async () => {
  using dir = tempDir();
  const into = dir.write("old.jsonl", "precious\n");
  const args = ["session", "convert", "-", "--into", into];
  const open = Buffer.from(fixtureBytes("claude-basic.jsonl")).toString();
  const running = startAgent(args, { cwd: dir.path, home: join(dir.path, "home"), stdin: { open } });
  await until(() => readdirSync(dir.path).some((name) => name.endsWith(".lock")));
  running.child.kill("SIGTERM");
  const { code } = await running.result;
  await running.endStdin();
  expect([code, readFileSync(into, "utf8"), readdirSync(dir.path)]).toEqual([
    143,
    "precious\n",
    ["old.jsonl"],
  ]);
});

test("session convert --into on a full disk fails, and leaves the old file as it was", async () => {
  using dir = tempDir();
  const disk = join(dir.path, "disk");
  mkdirSync(disk);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "none", disk]).status === 0;
  if (!mounted) {
    console.warn("skipped: a small tmpfs cannot be mounted here");
    return;
  }
  try {
    const into = join(disk, "old.jsonl");
    writeFileSync(into, "precious\n");
    const line = `{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":"${"x".repeat(9_000)}"}}\n`;
    const source = dir.write("long.jsonl", line.repeat(20));
    const result = await runAgent(["session", "convert", source, "--into", into], {
      cwd: dir.path,
      home: dir.path,
    });
    expect([
      result.code,
      result.stderr.includes("no space is left on the device"),
      readFileSync(into, "utf8"),
      readdirSync(disk),
    ]).toEqual([1, true, "precious\n", ["old.jsonl"]]);
  } finally {
    spawnSync("umount", [disk]);
  }
});

test("session convert ends with 141 when the reader of stdout goes away", async () => {
  using dir = tempDir();
  const line = `{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":"${"x".repeat(9_000)}"}}\n`;
  const source = dir.write("long.jsonl", line.repeat(200));
  const running = startAgent(["session", "convert", source], { cwd: dir.path, home: dir.path });
  running.child.stdout?.once("data", () => running.child.stdout?.destroy());
  const { code, stderr } = await running.result;
  expect([code, stderr]).toEqual([141, ""]);
});
