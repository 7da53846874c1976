// The steps of the gate, in order. Each counts: a check is one, a test run is as many as it reports. A step that fails
// does not stop the others, but for the tests of a binary that was not built.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const BIN = join(ROOT, "node_modules/.bin");

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** Reads the counts of a test run from its output; without it the step is one check. */
  readonly counts?: (output: string) => Counts | undefined;
}

const BUN = [process.execPath, "--no-env-file", `--config=${join(ROOT, "bunfig.toml")}`] as const;

function bunTest(name: string, paths: readonly string[]): Step {
  return { name, command: [...BUN, "test", "--timeout=30000", ...paths], counts: bunCounts };
}

function steps(): readonly Step[] {
  const rooms = readdirSync(join(ROOT, "src"), { withFileTypes: true })
    .filter((item) => item.isDirectory() && item.name !== "e2e")
    .map((item) => `./src/${item.name}`);
  return [
    { name: "format and lint", command: [join(BIN, "biome"), "check", "--error-on-warnings", "."] },
    { name: "types", command: [join(BIN, "tsc"), "--noEmit"] },
    { name: "deno check", command: [join(BIN, "deno"), "check", "--quiet", "src/main.ts", ...denoScripts()] },
    bunTest("unit tests", rooms),
    { name: "build", command: [...BUN, "scripts/build.ts"] },
    bunTest("end to end", ["./src/e2e"]),
    ...denoScripts().map((file) => ({
      name: `deno ${file}`,
      command: [join(BIN, "deno"), "run", "-A", "--quiet", file],
      counts: plainCounts,
    })),
    ...interchange(),
  ];
}

/** Scripts that hold under V8 what the unit tests hold under JavaScriptCore. */
function denoScripts(): readonly string[] {
  return [...new Bun.Glob("src/**/*.deno.ts").scanSync({ cwd: ROOT })].sort();
}

/** Our files in another program's reader; its packages live in a folder of their own. */
function interchange(): readonly Step[] {
  const script = "scripts/interchange/run";
  if (!existsSync(join(ROOT, script))) return [];
  return [{ name: "interchange", command: [join(ROOT, script)], counts: plainCounts }];
}

/** ` 12 pass`, ` 0 fail`, ` 1 skip` of Bun's summary. An error outside a test is a failure too. */
function bunCounts(output: string): Counts | undefined {
  const count = (word: string) => Number(output.match(new RegExp(`^ *(\\d+) ${word}$`, "m"))?.[1] ?? 0);
  if (!/^ *\d+ pass$/m.test(output)) return undefined;
  return {
    passed: count("pass"),
    failed: count("fail") + count("errors?"),
    skipped: count("skip") + count("todo"),
  };
}

/** The closing line `N passed, N failed` (`, N skipped` may follow). */
function plainCounts(output: string): Counts | undefined {
  const lines = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)];
  const last = lines.at(-1);
  if (last === undefined) return undefined;
  return { passed: Number(last[1]), failed: Number(last[2]), skipped: Number(last[3] ?? 0) };
}

async function runStep(step: Step): Promise<Counts> {
  const started = performance.now();
  console.log(`\n== ${step.name}`);
  const child = Bun.spawn([...step.command], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const output = `${out}${err}`;
  const counted = step.counts?.(output) ?? {
    passed: code === 0 ? 1 : 0,
    failed: code === 0 ? 0 : 1,
    skipped: 0,
  };
  const failed = code !== 0 && counted.failed === 0 ? 1 : counted.failed;
  if (failed > 0) console.log(output.trimEnd());
  else printSkips(output);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`   ${failed > 0 ? "FAILED" : "ok"}: ${counted.passed} passed, ${failed} failed, ${seconds} s`);
  return { ...counted, failed };
}

function printSkips(output: string): void {
  for (const line of output.split("\n")) if (/^\(skip\)|^skipped: /.test(line)) console.log(`   ${line}`);
}

async function main(only: readonly string[]): Promise<number> {
  let total: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const step of steps()) {
    if (only.length > 0 && !only.some((word) => step.name.includes(word))) continue;
    const counts = await runStep(step);
    total = {
      passed: total.passed + counts.passed,
      failed: total.failed + counts.failed,
      skipped: total.skipped + counts.skipped,
    };
    if (step.name === "build" && counts.failed > 0) break;
  }
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
  console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
