// `bun run fuzz [--seconds N] [--seed S]`, or the same under Deno: `deno run -A scripts/fuzz.ts …`. Random patterns
// and texts against the matcher's properties, for as long as asked. The seed makes a run repeatable.
//
// Three engines vote on whether a pattern matches: the runtime's own, the automaton, and the backtracking engine.
// Where the runtime's own differs from both of ours, the other runtime is asked too and the case is printed.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createManySweep, sweepManyOnce } from "../src/matcher/fuzz/many.ts";
import { checkText, createSubject } from "../src/matcher/fuzz/properties.ts";
import { createRandom } from "../src/matcher/fuzz/random.ts";
import { createSweep, type Example, sweepOnce } from "../src/matcher/fuzz/sweep.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "20" }, seed: { type: "string", default: "1" } },
});
const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
if (!(seconds > 0) || !Number.isInteger(seed)) {
  console.error("usage: bun run fuzz [--seconds <number>] [--seed <integer>]");
  process.exit(2);
}
const runtime = "Deno" in globalThis ? "deno" : "bun";
const other = runtime === "deno" ? "bun" : "deno";
const MOST_FAILURES = 10;
const REPORT_EVERY_MS = 60_000;

const random = createRandom(seed);
const sweep = createSweep();
const many = createManySweep();
const until = performance.now() + 1000 * seconds;
let nextReport = performance.now() + REPORT_EVERY_MS;
/** Patterns of which a disagreement has been printed. */
const shown = new Set<string>();
let printed = 0;
let round = 0;
while (performance.now() < until && sweep.failures.length + many.failures.length < MOST_FAILURES) {
  sweepOnce(sweep, random);
  if (round++ % 4 === 0) sweepManyOnce(many, random);
  if (performance.now() > nextReport) {
    nextReport += REPORT_EVERY_MS;
    console.log(summary());
  }
  for (; printed < sweep.nativeDiffers.length; printed++) {
    const differing = sweep.nativeDiffers[printed];
    if (differing === undefined || shown.has(differing.example.source)) continue;
    shown.add(differing.example.source);
    printDisagreement(differing.example, differing.native);
  }
}

for (const { example, property, detail } of sweep.failures) {
  console.log(`FAIL ${property}: ${JSON.stringify(example)} ${detail}`);
}
for (const { detail } of many.failures) console.log(`FAIL many rules fire like each alone: ${detail}`);
console.log(summary());
if (sweep.failures.length + many.failures.length > 0) process.exitCode = 1;

function summary(): string {
  return (
    `${runtime}, seed ${seed}: ${sweep.cases} cases (${sweep.patterns} patterns, ${sweep.fired} fired, ` +
    `${sweep.gaveUp} given up, ${sweep.nativeDiffers.length} where the native engine differs) and ${many.cases} ` +
    `of many rules (${many.fired} fired, ${many.gaveUp} given up); ` +
    `${sweep.failures.length + many.failures.length} failed`
  );
}

/** Prints a case on which the native engine differs, made as small as it goes, with the other runtime's vote. */
function printDisagreement(example: Example, native: boolean): void {
  const { source, flags, text } = reduce(example, native);
  const vote = askOther({ source, flags, text });
  const engines = runtime === "bun" ? `JSC ${native}, V8 ${vote}` : `V8 ${native}, JSC ${vote}`;
  console.log(`DISAGREE /${source}/${flags} on ${JSON.stringify(text)}: ${engines}, ours ${!native}`);
}

/** Drops parts of the text and of the pattern as long as the native engine keeps its opinion and ours keep theirs. */
function reduce(example: Example, native: boolean): Example {
  const { flags } = example;
  const source = shorten(example.source, (shorter) => differs({ ...example, source: shorter }, native));
  const text = shorten(example.text, (shorter) => differs({ source, flags, text: shorter }, native));
  return { source, flags, text };
}

/** Drops stretches of a string, large ones first, as long as it stays interesting. */
function shorten(string: string, isInteresting: (shorter: string) => boolean): string {
  for (let size = string.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at + size <= string.length; ) {
      const shorter = string.slice(0, at) + string.slice(at + size);
      if (isInteresting(shorter)) string = shorter;
      else at++;
    }
  }
  return string;
}

function differs({ source, flags, text }: Example, native: boolean): boolean {
  const subject = createSubject(source, flags);
  const verdict = subject && checkText(subject, text, createRandom(1));
  return verdict?.kind === "native differs" && verdict.native === native;
}

/** What the other runtime's engine says, or why it does not. */
function askOther({ source, flags, text }: Example): string {
  const [pattern, options, subject] = [source, flags, text].map((part) => JSON.stringify(part));
  const code = `console.log(new RegExp(${pattern}, ${options}).test(${subject}))`;
  const program = join(import.meta.dirname, `../node_modules/.bin/${other}`);
  const { stdout, stderr } = spawnSync(program, [other === "deno" ? "eval" : "-e", code], {
    encoding: "utf8",
  });
  return stdout?.trim() || stderr?.trim() || "has no vote: it did not run";
}
