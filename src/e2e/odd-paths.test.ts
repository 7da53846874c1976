// Paths that no file can have, on the command line and inside a session: told as not found or passed over, never a crash.

import { expect, test } from "bun:test";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { runAgent } from "../testing/spawn.ts";
import { tempDir } from "../testing/temp.ts";

const LONG = "a".repeat(5_000);

test("session commands say not found for a name that is too long and for links that go round", async () => {
  using dir = tempDir();
  symlinkSync("loop", join(dir.path, "loop"));
  for (const word of [LONG, `./${LONG}`, "loop", "./loop", `${"a/".repeat(3_000)}b`]) {
    for (const command of ["show", "check", "convert", "stats"]) {
      const result = await runAgent(["session", command, word], { cwd: dir.path, home: dir.path });
      expect([command, result.code]).toEqual([command, 66]);
    }
  }
});

test("handoff of a session whose directory can be none takes the current one", async () => {
  using dir = tempDir();
  for (const cwd of ["/x\0y", `/${LONG}`, "", "/etc/passwd/x"]) {
    const lines = [
      { type: "session", version: 3, id: "0199a3f0-0000-7000-8000-000000000001", timestamp: TIME, cwd },
      messageLine("00000001", null, { role: "user", content: "Fix the parser." }),
      messageLine("00000002", "00000001", { role: "assistant", content: [{ type: "text", text: "Fixed." }] }),
    ];
    dir.write("s.jsonl", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const args = ["handoff", "s.jsonl", "--engine", "offline", "--output", "session"];
    const result = await runAgent(args, { cwd: dir.path, home: dir.path });
    expect([result.code, JSON.parse(result.stdout.split("\n", 1)[0] ?? "").cwd]).toEqual([0, dir.path]);
  }
});

test("session convert of a file without one usable line is exit 65 and leaves what stands at --into", async () => {
  using dir = tempDir();
  dir.write("s.jsonl", '{"type":"message","id":"1","par\n{"x":1}\n');
  dir.write("kept.jsonl", "kept\n");
  for (const flags of [[], ["--output", "json"], ["--into", "kept.jsonl"]]) {
    const result = await runAgent(["session", "convert", "s.jsonl", ...flags], {
      cwd: dir.path,
      home: dir.path,
    });
    expect([flags, result.code]).toEqual([flags, 65]);
  }
  expect(readFileSync(join(dir.path, "kept.jsonl"), "utf8")).toBe("kept\n");
});

const TIME = "2026-04-01T12:00:00.000Z";

function messageLine(id: string, parentId: string | null, message: object): object {
  return { type: "message", id, parentId, timestamp: TIME, message };
}
