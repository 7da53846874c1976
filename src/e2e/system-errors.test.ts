// What the operating system refuses is said in words: no code, call or descriptor of its own reaches a person.

import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runAgent } from "../testing/spawn.ts";
import { tempDir } from "../testing/temp.ts";

const REPLAY = ["run", "--no-stdin", "--model", "replay:r.jsonl", "--no-session"];
/** Each names what is not there, or the directory `d` where a file must be. */
const LINES: readonly (readonly string[])[] = [
  ["--cwd", "missing", "config"],
  ["config", "--config", "d"],
  ["run", "--no-stdin", "--model", "replay:d", "hi"],
  [...REPLAY, "--system", "@missing", "hi"],
  [...REPLAY, "--append-system", "@d", "hi"],
  [...REPLAY, "--schema", "d", "hi"],
  [...REPLAY, "--record", "d", "hi"],
  [...REPLAY, "--result", "missing/r.json", "hi"],
  ["run", "--no-stdin", "--model", "replay:r.jsonl", "--into", "missing/d/../../r.jsonl/s.jsonl", "hi"],
  [...REPLAY, "hi", "@missing"],
  ["handoff", "d/", "--engine", "offline"],
  ["session", "show", "d/"],
  ["session", "convert", "d/"],
  ["rules", "test", "missing"],
  ["rules", "test", "d"],
];

test("every command says in words what the system refused", async () => {
  using dir = tempDir();
  mkdirSync(join(dir.path, "d"));
  dir.write("r.jsonl", '{"type":"text_delta","delta":"Hello"}\n{"type":"done"}\n');
  for (const line of LINES) {
    const { code, stderr } = await runAgent(line, { cwd: dir.path, home: dir.path });
    expect([line, code === 0 || code === 70, stderr.match(/\bE[A-Z]{4,}\b|, open |, stat |, read$/)]).toEqual(
      [line, false, null],
    );
    expect(stderr).toStartWith("agent: ");
  }
});
