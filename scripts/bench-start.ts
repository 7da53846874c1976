// Start-up against an empty program compiled by the same Bun: `agent --version` (must be within 2x) and
// `agent rules check` on 50 rules (within 5x). Runs are interleaved; medians of whole processes.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const RUNS = 25;

interface Candidate {
  readonly name: string;
  readonly command: readonly string[];
  readonly times: number[];
}

/** Prints one row a program: median in ms, ratio to the empty program. */
export async function run(_args: readonly string[] = []): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "agent-bench-"));
  try {
    const empty = compileEmpty(dir);
    const agent = join(ROOT, "dist/agent");
    writeRules(dir, 50);
    const candidates: readonly Candidate[] = [
      { name: "empty program", command: [empty], times: [] },
      { name: "agent --version", command: [agent, "--version"], times: [] },
      { name: "agent rules check (50 rules)", command: [agent, "rules", "check"], times: [] },
    ];
    for (let round = 0; round < RUNS + 2; round++) {
      for (const candidate of candidates) {
        const started = performance.now();
        const child = Bun.spawnSync([...candidate.command], {
          cwd: dir,
          stdout: "ignore",
          stderr: "ignore",
          stdin: "ignore",
        });
        if (child.exitCode !== 0) throw new Error(`${candidate.name} ended with ${child.exitCode}`);
        if (round >= 2) candidate.times.push(performance.now() - started);
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

function report(candidates: readonly Candidate[]): void {
  const median = (times: readonly number[]) =>
    [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const base = median(candidates[0]?.times ?? []);
  for (const { name, times } of candidates) {
    const own = median(times);
    console.log(`${name.padEnd(30)} ${own.toFixed(1).padStart(7)} ms  ${(own / base).toFixed(2)}x`);
  }
}
