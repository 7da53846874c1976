// `bun run bench start`: whole processes against an empty program compiled by the same Bun, in turns, as medians: what a
// clock on the wall says, and the processor's time of all threads, which other programs on the machine change less.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const RUNS = 25;

interface Candidate {
  readonly name: string;
  readonly command: readonly string[];
  /** How many times the empty program's time it may take. */
  readonly most?: number;
  /** Milliseconds, one a run. */
  readonly wall: number[];
  readonly cpu: number[];
}

/** Prints one row a program: medians in ms, ratios to the empty program. */
export async function run(_args: readonly string[] = []): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "agent-bench-"));
  try {
    const empty = compileEmpty(dir);
    const agent = join(ROOT, "dist/agent");
    writeRules(dir, 50);
    const candidates: readonly Candidate[] = [
      { name: "empty program", command: [empty], wall: [], cpu: [] },
      { name: "agent --version", command: [agent, "--version"], most: 2, wall: [], cpu: [] },
      { name: "agent rules check, 50 rules", command: [agent, "rules", "check"], most: 5, wall: [], cpu: [] },
      { name: "agent run --model replay", command: [agent, ...replayed()], wall: [], cpu: [] },
    ];
    for (let round = 0; round < RUNS + 2; round++) {
      for (const candidate of candidates) {
        const started = performance.now();
        const child = Bun.spawnSync([...candidate.command], {
          cwd: dir,
          env: { HOME: dir },
          stdout: "ignore",
          stderr: "ignore",
          stdin: "ignore",
        });
        if (child.exitCode !== 0) throw new Error(`${candidate.name} ended with ${child.exitCode}`);
        if (round < 2) continue;
        candidate.wall.push(performance.now() - started);
        candidate.cpu.push(Number(child.resourceUsage.cpuTime.total) / 1000);
      }
    }
    report(candidates);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function compileEmpty(dir: string): string {
  writeFileSync(join(dir, "empty.ts"), "");
  const file = join(dir, "empty");
  const build = Bun.spawnSync(
    [
      process.execPath,
      "build",
      "--compile",
      "--minify",
      "--bytecode",
      "--format=esm",
      `--outfile=${file}`,
      join(dir, "empty.ts"),
    ],
    { cwd: dir, stdout: "pipe", stderr: "pipe" },
  );
  if (build.exitCode !== 0) throw new Error(build.stderr.toString());
  return file;
}

function writeRules(dir: string, count: number): void {
  const folder = join(dir, ".agent/rules");
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < count; index++) {
    const text = `---\ndescription: rule ${index}\ncondition: '\\bforbidden${index}\\s*\\('\nscope: text, tool:write(*.ts)\n---\nDo not call forbidden${index}().\n`;
    writeFileSync(join(folder, `rule-${index}.md`), text);
  }
}

/** A run whose answer is there already: what is left is our own work. */
function replayed(): readonly string[] {
  const recording = join(ROOT, "fixtures/recordings/tour.jsonl");
  return ["run", "--model", `replay:${recording}`, "--no-rules", "--no-session", "What is here?"];
}

function report(candidates: readonly Candidate[]): void {
  const [base] = candidates;
  if (base === undefined) return;
  console.log(`${"".padEnd(29)}     wall               cpu`);
  for (const { name, most, wall, cpu } of candidates) {
    const times = [
      [wall, base.wall],
      [cpu, base.cpu],
    ] as const;
    const cells = times.map(([own, empty]) => {
      const ratio = median(own) / median(empty);
      return `${median(own).toFixed(1).padStart(6)} ms ${ratio.toFixed(2).padStart(6)}x`;
    });
    const ratio = median(cpu) / median(base.cpu);
    const verdict = most === undefined ? "" : `  (at most ${most}: ${ratio <= most ? "ok" : "MISSED"})`;
    console.log(`${name.padEnd(29)}${cells.join("  ")}${verdict}`);
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
