// Sessions against the plain way to read them: the whole file as text, and `JSON.parse` of each line. Every time is a
// ratio to that baseline, by the clock and by the processor, the two taken in turns in one process; memory is taken in a
// process of its own for each. Two sessions: one as real ones are, and one of ASCII alone, which the baseline reads fastest.
// `bun run bench session [megabytes]`; a size of 0 measures the listing alone.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkSession } from "../src/session/check.ts";
import { buildSessionContext } from "../src/session/context.ts";
import { listSessions } from "../src/session/listing.ts";
import { openSession } from "../src/session/open.ts";
import { sessionFileChunks } from "../src/session/source.ts";
import { type MadeSession, makeSession } from "./make-session.ts";

const ROUNDS = 9;
const LISTED = 10_000;

const WORK: Readonly<Record<string, (path: string) => unknown>> = {
  baseline(path) {
    const kept: unknown[] = [];
    for (const line of readFileSync(path, "utf8").split("\n")) if (line !== "") kept.push(JSON.parse(line));
    return kept;
  },
  async open(path) {
    const session = await openSession(path);
    return [session, buildSessionContext(session)];
  },
  check: (path) => checkSession(sessionFileChunks(path), path),
  list: (path) => listSessions({ store: path }),
  /** What `ls -l` and `head` over the store read. */
  scan(path) {
    let lines = 0;
    for (const directory of readdirSync(path))
      for (const name of readdirSync(join(path, directory))) {
        const file = join(path, directory, name);
        lines += statSync(file).size + readFileSync(file).indexOf(10);
      }
    return lines;
  },
};

export async function run(args: readonly string[]): Promise<void> {
  if (args[0] === "--memory") return await printMemory(args[1] ?? "", args[2] ?? "");
  const directory = mkdtempSync(join(tmpdir(), "agent-bench-"));
  try {
    const megabytes = Number(args[0] ?? 30);
    const path = join(directory, "session.jsonl");
    if (megabytes > 0) await benchFile("session", makeSession(path, megabytes));
    if (megabytes > 0) await benchFile("ASCII session", makeSession(path, megabytes, true));
    await benchListing(join(directory, "store"));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function benchFile(name: string, made: MadeSession): Promise<void> {
  const { path } = made;
  console.log(`\n${name} of ${(made.bytes / 1e6).toFixed(1)} MB, ${made.entries} entries`);
  const times = await inTurns(["baseline", "open", "check"], path);
  printTime({ what: "read, JSON.parse each line", name: "baseline", times });
  printTime({ what: "open: index, branch, context", name: "open", times, most: 0.6 });
  printTime({ what: "session check", name: "check", times, most: 1.5 });
  const open = peakMemory("open", path);
  printBound(`peak memory of opening: ${(open / made.bytes).toFixed(2)}x the file`, open / made.bytes, 3);
  const check = peakMemory("check", path);
  console.log(`peak memory of session check: ${Math.round(check / 1e6)} MB`);
}

interface Times {
  /** Milliseconds by the clock. */
  readonly wall: number;
  /** Milliseconds of the processor, in all threads. */
  readonly cpu: number;
}

/** Median times of each; one round before is not counted. */
async function inTurns(names: readonly string[], path: string): Promise<ReadonlyMap<string, Times>> {
  const times = new Map(names.map((name) => [name, { wall: [] as number[], cpu: [] as number[] }]));
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of names) {
      Bun.gc(true);
      const [start, cpuStart] = [performance.now(), process.cpuUsage()];
      await WORK[name]?.(path);
      const [wall, cpu] = [performance.now() - start, process.cpuUsage(cpuStart)];
      if (round === 0) continue;
      times.get(name)?.wall.push(wall);
      times.get(name)?.cpu.push((cpu.user + cpu.system) / 1000);
    }
  return new Map([...times].map(([name, { wall, cpu }]) => [name, { wall: median(wall), cpu: median(cpu) }]));
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
}

interface TimeRow {
  readonly what: string;
  readonly name: string;
  readonly times: ReadonlyMap<string, Times>;
  readonly most?: number;
}

/** The bound holds for both ratios. */
function printTime({ what, name, times, most }: TimeRow): void {
  const [baseline] = times.values();
  const mine = times.get(name);
  if (baseline === undefined || mine === undefined) return;
  const ratios = { wall: mine.wall / baseline.wall, cpu: mine.cpu / baseline.cpu };
  const column = (ms: number, ratio: number) => `${ms.toFixed(1).padStart(7)} ms ${ratio.toFixed(2)}x`;
  const row = `${what.padEnd(30)} ${column(mine.wall, ratios.wall)}  cpu ${column(mine.cpu, ratios.cpu)}`;
  printBound(row, Math.max(ratios.wall, ratios.cpu), most);
}

function printBound(line: string, value: number, most: number | undefined): void {
  if (most === undefined) console.log(line);
  else console.log(`${line}  (at most ${most}: ${value <= most ? "ok" : "MISSED"})`);
}

/** Peak memory of a process that does nothing else, less what the same process needs for nothing. */
function peakMemory(name: string, path: string): number {
  const measured = (work: string) => {
    const child = Bun.spawnSync([
      process.execPath,
      join(import.meta.dir, "bench.ts"),
      "session",
      "--memory",
      work,
      path,
    ]);
    return Number(child.stdout.toString().split("\n").at(-2));
  };
  return measured(name) - measured("nothing");
}

async function printMemory(name: string, path: string): Promise<void> {
  const result = await WORK[name]?.(path);
  if (result === null) throw new Error("no result");
  // The high-water mark of this program alone: ru_maxrss keeps that of the process that started it.
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  console.log(Number(peak ?? Number.NaN) * 1024);
}

async function benchListing(store: string): Promise<void> {
  fillStore(store);
  console.log(`\n${LISTED.toLocaleString("en")} sessions`);
  const times = await inTurns(["scan", "list"], store);
  printTime({ what: "size and first line of each", name: "scan", times });
  printTime({ what: "session list", name: "list", times });
}

function fillStore(store: string): void {
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  const message = { role: "user", content: "a prompt of some length ".repeat(30), timestamp: 1 };
  const timestamp = "2026-01-02T03:04:05.000Z";
  for (let number = 0; number < LISTED; number++) {
    const id = `0190f3a2-7c1e-7000-8000-${String(number).padStart(12, "0")}`;
    const entries = Array.from({ length: 10 }, (_, at) => {
      const parentId = at === 0 ? null : `0000000${at - 1}`;
      return line({ type: "message", id: `0000000${at}`, parentId, timestamp, message });
    });
    const header = line({ type: "session", version: 3, id, timestamp, cwd: "/x" });
    const directory = join(store, `project-${number % 20}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `${number}_${id}.jsonl`), header + entries.join(""));
  }
}
