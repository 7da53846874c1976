// The matcher's cases and properties under Deno: `deno run -A src/matcher/matcher.deno.ts [rounds] [seed]`.

import { CASES } from "./fuzz/cases.ts";
import { checkCase } from "./fuzz/check-case.ts";
import { sweepManyRounds } from "./fuzz/many.ts";
import { sweepRounds } from "./fuzz/sweep.ts";

const [rounds = "8", seed = "20240602"] = process.argv.slice(2);
let passed = 0;
let failed = 0;

function report(name: string, problem: string | undefined): void {
  if (problem === undefined) passed++;
  else {
    failed++;
    console.log(`FAIL ${name}: ${problem}`);
  }
}

for (const row of Object.values(CASES).flat()) report(`/${row[0]}/${row[1]}`, checkCase(row));

const { cases, failures, nativeDiffers } = sweepRounds(Number(seed), Number(rounds));
for (const { example, property, detail } of failures)
  report(JSON.stringify(example), `${property}: ${detail}`);
for (const { example, native } of nativeDiffers) {
  console.log(`V8 differs from both engines here, and says ${native}: ${JSON.stringify(example)}`);
}
passed += cases - failures.length;

const many = sweepManyRounds(Number(seed), Number(rounds));
for (const { detail } of many.failures) report("many rules fire like each alone", detail);
passed += many.cases - many.failures.length;

console.log(`${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
