// Sessions under faults, through the binary: the process killed at any moment, a full disk, a read-only file, two
// processes at once. What was reported as written is there, and no line swallows another.

import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openSession } from "../session/open.ts";
import type { Session } from "../session/session.ts";
import { walkBranch } from "../session/tree.ts";
import { readOnly, smallDisk, whyNoMounts } from "../testing/mount.ts";
import { type AgentResult, type RunningAgent, runAgent, startAgent } from "../testing/spawn.ts";
import { type TempDir, tempDir } from "../testing/temp.ts";

/** How often the process is killed; the gate is content with fewer. */
const KILLS = Number(process.env["AGENT_KILL_RUNS"] ?? 12);
/** A session that grew long is read longer, and the kills would hit nothing else. */
const KILLS_A_SESSION = 6;

/** Answers that call a tool, each with a text of its own and of some length, then one that ends. */
function recording(answers: number, textLength: number, lastDelayMs = 0): string {
  const lines: object[] = [];
  for (let number = 0; number < answers; number++) {
    lines.push(
      { type: "start" },
      { type: "text_delta", delta: `${number} ${"x".repeat(textLength)}`, delayMs: 1 },
    );
    // A path of its own each time: calls that repeat themselves end a run.
    lines.push({
      type: "toolcall",
      name: "ls",
      id: `call_${number}`,
      arguments: { path: ".", limit: number + 1 },
    });
    lines.push({ type: "done" });
  }
  lines.push(
    { type: "start" },
    { type: "text_delta", delta: "done", delayMs: lastDelayMs },
    { type: "done" },
  );
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function runArgs(session: string, prompt: string): readonly string[] {
  const flags = ["--model", "replay:r.jsonl", "--max-turns", "1000", "--session", session, "--wait", "60s"];
  return ["run", ...flags, "--output", "jsonl", "--no-stdin", prompt];
}

/** The messages that a run reported on stdout: whole lines only, as a reader of the pipe sees them. */
function reportedMessages(stdout: string): readonly string[] {
  const lines = stdout.split("\n").slice(0, -1);
  return lines.flatMap((line) => {
    const event = JSON.parse(line);
    return event.type === "message_end" && event.discarded !== true ? [JSON.stringify(event.message)] : [];
  });
}

function messagesIn(session: Session): ReadonlySet<string> {
  return new Set(
    [...session.entries()].flatMap((entry) =>
      entry.type === "message" ? [JSON.stringify(entry.message)] : [],
    ),
  );
}

/** A moment of the run, not of the clock: on a slow machine the same. */
async function somewhereIn(running: RunningAgent): Promise<void> {
  const messages = 1 + Math.floor(Math.random() * 60);
  while (running.stdout().split('"message_end"').length <= messages) await Bun.sleep(1);
  await Bun.sleep(Math.random() * 5);
}

async function emptySession(dir: TempDir, path: string): Promise<void> {
  dir.write("empty.jsonl", '{"type":"text_delta","delta":"hello"}\n{"type":"done"}\n');
  const args = ["run", "--model", "replay:empty.jsonl", "--into", path, "--no-stdin", "hello"];
  expect(await runAgent(args, { cwd: dir.path, home: dir.path })).toMatchObject({ code: 0 });
}

test(
  `run killed at any moment loses nothing that it reported, and the next run goes on (${KILLS} times)`,
  async () => {
    using dir = tempDir();
    // The last answer takes so long that no run ends before it is killed.
    dir.write("r.jsonl", recording(60, 20_000, 600_000));
    const total = { reported: 0, torn: 0 };
    for (let first = 0; first < KILLS; first += KILLS_A_SESSION) {
      const name = `s${first}.jsonl`;
      await emptySession(dir, join(dir.path, name));
      const reported: string[] = [];
      for (let index = first; index < Math.min(first + KILLS_A_SESSION, KILLS); index++) {
        const running = startAgent(runArgs(name, `prompt ${index}`), { cwd: dir.path, home: dir.path });
        await (index % 3 === 0 ? Bun.sleep(Math.random() * 100) : somewhereIn(running));
        running.child.kill("SIGKILL");
        const { signal, stdout } = await running.result;
        expect(signal).toBe("SIGKILL");
        reported.push(...reportedMessages(stdout));
      }
      const session = await openSession(join(dir.path, name));
      const there = messagesIn(session);
      expect(reported.filter((message) => !there.has(message))).toEqual([]);
      // A line that was torn by the kill stands alone: everything else reads, and hangs together.
      expect(session.problems.filter((problem) => problem.code !== "torn-line")).toEqual([]);
      expect(walkBranch(session).problems).toEqual([]);
      total.reported += reported.length;
      total.torn += session.problems.length;
    }
    expect(total.reported).toBeGreaterThanOrEqual(KILLS / 2);
    console.error(`${KILLS} runs: ${JSON.stringify(total)}`);
  },
  KILLS * 3_000 + 60_000,
);

test("two processes that append to one session in turns lose and fuse nothing", async () => {
  using dir = tempDir();
  const path = join(dir.path, "s.jsonl");
  dir.write("r.jsonl", recording(4, 50));
  await emptySession(dir, path);
  const loop = async (name: string): Promise<readonly AgentResult[]> => {
    const results: AgentResult[] = [];
    for (let index = 0; index < 6; index++)
      results.push(await runAgent(runArgs("s.jsonl", `${name} ${index}`), { cwd: dir.path, home: dir.path }));
    return results;
  };
  const results = (await Promise.all([loop("one"), loop("two")])).flat();
  expect(results.map(({ code }) => code)).toEqual(Array.from({ length: 12 }, () => 0));
  const session = await openSession(path);
  const there = messagesIn(session);
  const reported = results.flatMap(({ stdout }) => reportedMessages(stdout));
  expect(reported.filter((message) => !there.has(message))).toEqual([]);
  expect(session.problems).toEqual([]);
  // One after another, so every entry is on the one branch.
  expect(walkBranch(session).indices.length).toBe(session.size);
  expect(existsSync(`${path}.lock`)).toBe(false);
});

const noMounts = whyNoMounts();
if (noMounts !== undefined) console.error(`session-faults: skipped: ${noMounts}`);

test.skipIf(noMounts !== undefined)(
  "run on a full disk ends with an error, and leaves whole lines",
  async () => {
    using dir = tempDir();
    using disk = smallDisk(256 * 1024);
    const path = join(disk.path, "s.jsonl");
    dir.write("r.jsonl", recording(200, 20_000));
    await emptySession(dir, path);
    const { code, stdout, stderr } = await runAgent(runArgs(path, "go"), { cwd: dir.path, home: dir.path });
    expect(code).toBe(1);
    expect(stderr).toContain(`Cannot write to session "${path}": `);
    expect(stderr).toContain("no space is left on the device");
    expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      type: "result",
      ok: false,
      exitCode: 1,
    });
    expect(readFileSync(path, "utf8").endsWith("\n")).toBe(true);
    const session = await openSession(path);
    const there = messagesIn(session);
    expect(reportedMessages(stdout).filter((message) => !there.has(message))).toEqual([]);
    expect(session.problems).toEqual([]);
  },
);

test.skipIf(noMounts !== undefined)(
  "run says why no session can be made on a full disk, and leaves no file",
  async () => {
    using dir = tempDir();
    using disk = smallDisk(4096);
    await Bun.write(join(disk.path, "filler"), "x".repeat(4096));
    dir.write("r.jsonl", recording(1, 10));
    const args = ["run", "--model", "replay:r.jsonl", "--into", `${disk.path}/s.jsonl`, "--no-stdin", "go"];
    const { code, stderr } = await runAgent(args, { cwd: dir.path, home: dir.path });
    expect(code).toBe(1);
    expect(stderr).toContain("no space is left on the device");
    expect(existsSync(`${disk.path}/s.jsonl`)).toBe(false);
  },
);

test.skipIf(noMounts !== undefined)(
  "run says that a session on a full disk cannot be locked, and leaves nothing beside it",
  async () => {
    using dir = tempDir();
    using disk = smallDisk(32 * 1024);
    const path = join(disk.path, "s.jsonl");
    dir.write("r.jsonl", recording(1, 10));
    await emptySession(dir, path);
    const filler = dir.write("filler", "x".repeat(64 * 1024));
    // As much of it as there is room for.
    Bun.spawnSync(["cp", filler, join(disk.path, "filler")]);
    const { code, stderr } = await runAgent(runArgs(path, "go"), { cwd: dir.path, home: dir.path });
    expect({ code, said: stderr.includes("no space is left") }).toEqual({ code: 1, said: true });
    expect(readdirSync(disk.path).sort()).toEqual(["filler", "s.jsonl"]);
  },
);

test.skipIf(noMounts !== undefined)(
  "session convert --into a read-only directory is no bug of ours",
  async () => {
    using dir = tempDir();
    dir.write("there/r.jsonl", recording(1, 10));
    await emptySession(dir, join(dir.path, "s.jsonl"));
    using _mount = readOnly(join(dir.path, "there"));
    const args = ["session", "convert", "s.jsonl", "--into", "there/c.jsonl"];
    const { code, stderr } = await runAgent(args, { cwd: dir.path, home: dir.path });
    expect(code).toBe(1);
    expect(stderr).toContain("the file system is read-only");
  },
);

test.skipIf(noMounts !== undefined)(
  "run on a read-only file goes on in a new session that names it",
  async () => {
    using dir = tempDir();
    const path = join(dir.path, "s.jsonl");
    dir.write("r.jsonl", recording(1, 10));
    await emptySession(dir, path);
    const before = readFileSync(path, "utf8");
    using _mount = readOnly(path);
    const { code, stderr } = await runAgent(runArgs("s.jsonl", "go"), { cwd: dir.path, home: dir.path });
    expect({ code, readOnly: stderr.includes("read-only") }).toEqual({ code: 0, readOnly: true });
    expect(readFileSync(path, "utf8")).toBe(before);
    const list = await runAgent(["session", "list", "--output", "json"], { cwd: dir.path, home: dir.path });
    const [made] = JSON.parse(list.stdout);
    expect((await openSession(made.path)).header.parentSession).toBe((await openSession(path)).header.id);
    expect(statSync(made.path).mode & 0o777).toBe(0o600);
  },
);
