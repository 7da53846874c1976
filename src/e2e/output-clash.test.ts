// `--result` and `--record` never take the place of a session, of what a command reads, or of each other.

import { expect, test } from "bun:test";
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { runAgent } from "../testing/spawn.ts";
import { type TempDir, tempDir } from "../testing/temp.ts";

const RECORDING = '{"type":"text_delta","delta":"fine"}\n{"type":"done"}\n';
const REPLAY = ["--model", "replay:rep.jsonl"];

interface Place extends Disposable {
  readonly dir: TempDir;
  /** The session in the store, from the working directory. */
  readonly stored: string;
  run(args: readonly string[]): Promise<{ readonly code: number | null; readonly stderr: string }>;
  /** Every file below the working directory with its text. */
  files(): Readonly<Record<string, string>>;
}

/** `s.jsonl` and one session in the store, links to the first, a recording, a schema and settings. */
async function placeWithSessions(): Promise<Place> {
  const dir = tempDir();
  const run = (args: readonly string[]) => runAgent(args, { cwd: dir.path, home: dir.path });
  dir.write("rep.jsonl", RECORDING);
  dir.write("schema.json", "{}");
  dir.write("system.md", "Be brief.");
  dir.write("settings.json", '{"model":"replay:rep.jsonl"}');
  for (const into of [["--into", "s.jsonl"], []])
    expect((await run(["run", ...REPLAY, ...into, "hi"])).code).toBe(0);
  linkSync(`${dir.path}/s.jsonl`, `${dir.path}/hard.jsonl`);
  symlinkSync("s.jsonl", `${dir.path}/soft.jsonl`);
  symlinkSync("q.jsonl", `${dir.path}/to-q.jsonl`);
  mkdirSync(`${dir.path}/below`);
  const names = () =>
    readdirSync(dir.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(dir.path.length + 1))
      .sort();
  const stored = names().find((name) => name.startsWith("agent/sessions/")) ?? "";
  const files = () =>
    Object.fromEntries(names().map((name) => [name, readFileSync(`${dir.path}/${name}`, "utf8")]));
  return { dir, stored, run, files, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

/** What comes after `run`, with `OUT` for each of the two outputs and `STORED` for the stored session; the message's end. */
const CLASHES: readonly (readonly [line: string, with_: string])[] = [
  ["--session s.jsonl OUT s.jsonl", "--session"],
  ["--session ./s.jsonl OUT below/../s.jsonl", "--session"],
  ["--session s.jsonl OUT hard.jsonl", "--session"],
  ["--session s.jsonl OUT soft.jsonl", "--session"],
  ["--session soft.jsonl OUT s.jsonl", "--session"],
  ["--session soft.jsonl OUT s.jsonl.lock", "the lock of --session"],
  ["--session latest OUT STORED", "--session"],
  ["--continue OUT STORED", "--continue"],
  ["--fork s.jsonl OUT s.jsonl", "--fork"],
  ["--fork s.jsonl:abcd OUT s.jsonl", "--fork"],
  ["--session ./none.jsonl OUT none.jsonl", "--session"],
  ["--into q.jsonl OUT q.jsonl", "--into"],
  ["--into q.jsonl OUT to-q.jsonl", "--into"],
  ["--into q.jsonl OUT q.jsonl.lock", "the lock of --into"],
  ["OUT rep.jsonl", "--model"],
  ["--schema schema.json OUT schema.json", "--schema"],
  ["--system @system.md OUT system.md", "--system"],
  ["--append-system @system.md OUT system.md", "--append-system"],
  ["--config settings.json OUT settings.json", "--config"],
  ["OUT system.md @system.md", "@system.md"],
];

test("run refuses an output that is something else on its line, and touches nothing", async () => {
  using place = await placeWithSessions();
  const before = place.files();
  for (const flag of ["--result", "--record"]) {
    for (const [line, other] of CLASHES) {
      const words = line.split(" ").map((word) => (word === "STORED" ? place.stored : word));
      const args = words.map((word) => (word === "OUT" ? flag : word));
      const { code, stderr } = await place.run(["run", ...REPLAY, ...args, "hi"]);
      expect([flag, line, code]).toEqual([flag, line, 2]);
      expect(stderr).toStartWith(`agent: ${flag} and ${other} are the same file: "`);
    }
  }
  expect(place.files()).toEqual(before);
}, 30_000);

test("run refuses one file for its result and its recording, and a recording that the settings play", async () => {
  using place = await placeWithSessions();
  const before = place.files();
  for (const args of [
    [...REPLAY, "--record", "r", "--result", "r"],
    ["--config", "settings.json", "--record", "rep.jsonl"],
  ]) {
    const { code, stderr } = await place.run(["run", ...args, "--no-session", "hi"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("are the same file")]);
  }
  expect(place.files()).toEqual(before);
});

test("handoff refuses an output that is one of its sessions", async () => {
  using place = await placeWithSessions();
  const before = place.files();
  const offline = ["--engine", "offline"];
  for (const [args, other] of [
    [["s.jsonl", ...offline, "--no-session", "--result", "s.jsonl"], "--result and the session to hand off"],
    [["latest", ...offline, "--result", place.stored], "--result and the session to hand off"],
    [["s.jsonl", ...offline, "--into", "n", "--result", "n"], "--result and --into"],
    [["s.jsonl", ...REPLAY, "--record", "hard.jsonl"], "--record and the session to hand off"],
    [["s.jsonl", ...REPLAY, "--record", "rep.jsonl"], "--record and --model"],
  ] as const) {
    const { code, stderr } = await place.run(["handoff", ...args]);
    expect([args, code]).toEqual([args, 2]);
    expect(stderr).toStartWith(`agent: ${other} are the same file: "`);
  }
  expect(place.files()).toEqual(before);
});

test("run keeps every file that is no output of its kind, also where the line cannot be parsed", async () => {
  using place = await placeWithSessions();
  place.dir.write("notes.md", "mine\n");
  const before = place.files();
  for (const name of ["notes.md", "s.jsonl", "rep.jsonl", place.stored]) {
    const refused = await place.run(["run", "--model", "replay:none", "--result", name, "hi"]);
    expect([name, refused.code]).toEqual([name, 2]);
    expect(refused.stderr).toContain(`--result: "${name}" is there and is no result record`);
    const unparsed = await place.run(["run", "--result", name, "--nonsense", "hi"]);
    expect([name, unparsed.code]).toEqual([name, 2]);
    expect(unparsed.stderr).toContain(`warning: --result: "${name}" is there and is no result record`);
  }
  for (const name of ["notes.md", "s.jsonl", place.stored]) {
    const refused = await place.run(["run", ...REPLAY, "--record", name, "hi"]);
    expect([name, refused.code]).toEqual([name, 2]);
    expect(refused.stderr).toContain(`--record: "${name}" is there and is no recording`);
  }
  expect(place.files()).toEqual(before);
});

test("run, handoff and session convert make no file of the name -", async () => {
  using place = await placeWithSessions();
  const before = place.files();
  for (const args of [
    ["run", ...REPLAY, "--result", "-", "hi"],
    ["run", ...REPLAY, "--record", "-", "hi"],
    ["run", ...REPLAY, "--into", "-", "hi"],
    ["handoff", "s.jsonl", "--engine", "offline", "--result", "-"],
    ["handoff", "s.jsonl", "--engine", "offline", "--into", "-"],
    ["session", "convert", "s.jsonl", "--into", "-"],
  ]) {
    const { code, stderr } = await place.run(args);
    expect([args, code]).toEqual([args, 2]);
    expect(stderr).toContain(`${args.find((word) => /^--(result|record|into)$/.test(word))}: - is no file\n`);
  }
  expect(place.files()).toEqual(before);
});

test("run writes two outputs to one device", async () => {
  using place = await placeWithSessions();
  const args = ["--no-session", "--result", "/dev/null", "--record", "/dev/null"];
  expect((await place.run(["run", ...REPLAY, ...args, "hi"])).code).toBe(0);
});
