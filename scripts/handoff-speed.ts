// The cost of an offline handoff of a large session, beside reading the file as text and `JSON.parse` of each line. Times
// are taken in turns in one process, memory in a process of its own for each.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collectSession } from "../src/handoff/facts/collect.ts";
import { buildOfflineDocument } from "../src/handoff/offline.ts";
import { openSession } from "../src/session/open.ts";
import { fixtureSession } from "../src/testing/handoff-facts.ts";

const ROUNDS = 7;
const MEGABYTES = 30;
/** What a file or a program says: sessions are mostly this. */
const OUTPUT =
  "export function step(value: number): number {\n  return value + 1; // a line as programs print them\n}\n";

const WORK: Readonly<Record<string, (path: string) => unknown>> = {
  nothing: () => undefined,
  baseline(path) {
    const kept: unknown[] = [];
    for (const line of readFileSync(path, "utf8").split("\n")) if (line !== "") kept.push(JSON.parse(line));
    return kept;
  },
  async handoff(path) {
    const session = await openSession(path);
    const { header, format } = session;
    const facts = await collectSession(session);
    const source = { id: header.id, cwd: header.cwd, format };
    return buildOfflineDocument({ facts, source, budget: 4000, focus: undefined, evidence: true });
  },
};

/** Prints both ratios. */
export async function speed(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "agent-bench-"));
  try {
    const path = join(directory, "session.jsonl");
    const made = makeLargeSession(path);
    console.log(`\nsession of ${(made.bytes / 1e6).toFixed(1)} MB, ${made.entries} entries`);
    const [baseline, handoff] = await inTurns(path);
    console.log(`read, JSON.parse each line     ${baseline.toFixed(0)} ms`);
    console.log(
      `offline handoff                ${handoff.toFixed(0)} ms  ${(handoff / baseline).toFixed(2)}x  (at most 2)`,
    );
    const [lean, ours] = [peakMemory("baseline", path), peakMemory("handoff", path)];
    console.log(
      `peak memory                    ${lean.toFixed(0)} MB, handoff ${ours.toFixed(0)} MB  (at most as much)`,
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The fixtures over and over, their tool results as long as real ones, under new ids. */
function makeLargeSession(path: string): { readonly bytes: number; readonly entries: number } {
  const sources = ["long", "tool-heavy", "auth-refactor", "german", "interrupted"].map(fixtureSession);
  const [header = "", ...entries] = sources.flatMap((file) =>
    readFileSync(file, "utf8").trimEnd().split("\n"),
  );
  const bodies = entries.map((line) => JSON.parse(line)).filter((entry) => entry.type !== "session");
  const lines = [header];
  let bytes = 0;
  for (let n = 0; bytes < MEGABYTES * 1e6; n++) {
    const body = structuredClone(bodies[n % bodies.length]);
    body.id = n.toString(16).padStart(8, "0");
    body.parentId = n === 0 ? null : (n - 1).toString(16).padStart(8, "0");
    const { message } = body;
    if (message?.role === "toolResult")
      message.content[0].text = `${OUTPUT.repeat(n % 40)}${message.content[0].text}`;
    const line = JSON.stringify(body);
    lines.push(line);
    bytes += line.length;
  }
  writeFileSync(path, `${lines.join("\n")}\n`);
  return { bytes, entries: lines.length - 1 };
}

/** Median milliseconds of each; a first round is not counted. */
async function inTurns(path: string): Promise<readonly [number, number]> {
  const times: Record<string, number[]> = { baseline: [], handoff: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of ["baseline", "handoff"]) {
      Bun.gc(true);
      const start = performance.now();
      await WORK[name]?.(path);
      if (round > 0) times[name]?.push(performance.now() - start);
    }
  }
  const median = (list: readonly number[] = []) =>
    list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
  return [median(times["baseline"]), median(times["handoff"])];
}

/** Megabytes at the peak of a process that does nothing else, less what the same process needs for nothing. */
function peakMemory(name: string, path: string): number {
  const measured = (work: string) => {
    const child = Bun.spawnSync([
      process.execPath,
      join(import.meta.dir, "bench.ts"),
      "handoff",
      "--memory",
      work,
      path,
    ]);
    return Number(child.stdout.toString().trim().split("\n").at(-1));
  };
  return measured(name) - measured("nothing");
}

/** What the process of `peakMemory` prints last. */
export async function printPeakMemory(name: string, path: string): Promise<void> {
  const result = await WORK[name]?.(path);
  // The high-water mark of this program alone: ru_maxrss keeps that of the process that started it.
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  console.log(result === null ? "" : String(Number(peak) / 1024));
}
