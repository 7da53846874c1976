// `bun run bench matcher`: how fast the stream matcher is, beside the two methods that others use, in one run.
//
// "Whole buffer" appends each delta and tests every rule's RegExp on all of it, which is quadratic: it is run on a
// short text and extrapolated. "Last 512" tests on the last 512 characters, and misses what is longer.

import { heapStats } from "bun:jsc";
import { loadavg } from "node:os";
import { StreamMatcher } from "../src/matcher/matcher.ts";
import { splitLeadingFlags } from "../src/matcher/pattern.ts";
import { EVIL } from "./matcher-bench/evil.ts";
import { benchPatterns, benchText, randomLetters } from "./matcher-bench/workload.ts";

const MB = 2 ** 20;
const CHUNK = 8;
/** Rules, and how much text the slow methods are given. */
const ROWS = [
  { rules: 1, wholeBuffer: 64 * 1024, last512: MB },
  { rules: 10, wholeBuffer: 32 * 1024, last512: MB / 2 },
  { rules: 100, wholeBuffer: 8 * 1024, last512: MB / 16 },
  { rules: 1000, wholeBuffer: 2 * 1024, last512: MB / 256 },
] as const;

const ROUNDS = 21;
const COLD_ROUNDS = 5;

export function run(): void {
  console.log(`1 MB of text in chunks of ${CHUNK} characters; medians; load ${loadavg()[0]?.toFixed(1)}\n`);
  const text = benchText(MB);
  for (const row of ROWS) benchOthers(row, text);
  benchWarm(text);
  for (const { rules } of ROWS) benchCold(rules, text);
  benchMemory(text);
  benchEvil();
  benchCounters(text);
}

function benchOthers({ rules, wholeBuffer, last512 }: (typeof ROWS)[number], text: string): void {
  const expressions = benchPatterns(rules).map(toRegExp);
  const whole = time(() => testWholeBuffer(expressions, text.slice(0, wholeBuffer)));
  const last = time(() => testLast512(expressions, text.slice(0, last512)));
  console.log(
    `${rules} rules: whole buffer ${ms(whole * (MB / wholeBuffer) ** 2)} (extrapolated from ${wholeBuffer / 1024} KB in ` +
      `${ms(whole)}), last 512 ${ms(last * (MB / last512))} (from ${last512 / 1024} KB)`,
  );
}

/** All rows take turns, and processor time is taken, so that what else the machine does changes as little as may be. */
function benchWarm(text: string): void {
  const matchers = ROWS.map(({ rules }) => createMatcher(benchPatterns(rules)));
  for (const matcher of matchers) feed(matcher, text);
  const rounds = Array.from({ length: ROUNDS }, () =>
    matchers.map((matcher) => processorTime(() => feed(matcher, text))),
  );
  const warm = ROWS.map((_, k) => median(rounds.map((round) => round[k] ?? 0)));
  ROWS.forEach(({ rules }, k) => {
    const spent = warm[k] ?? 1;
    console.log(
      `${rules} rules: ours ${ms(spent)} warm, ${((1000 * text.length) / MB / spent).toFixed(0)} MB/s`,
    );
  });
  verdict("1,000 rules cost", (warm.at(-1) ?? 0) / (warm[0] ?? 1), "× one rule", 1.4);
  const [largest] = matchers.slice(-1);
  if (largest !== undefined) benchLength(largest, text);
}

function benchLength(matcher: StreamMatcher, text: string): void {
  const long = benchText(10 * MB);
  const ratios = [0, 1, 2].map(() => {
    const short = median([0, 1, 2].map(() => processorTime(() => feed(matcher, text))));
    return processorTime(() => feed(matcher, long)) / short;
  });
  verdict("10 MB cost", median(ratios), "× 1 MB", 11.5);
}

function benchCold(rules: number, text: string): void {
  const patterns = benchPatterns(rules);
  const rounds = Array.from({ length: COLD_ROUNDS }, () => {
    let fresh = createMatcher([]);
    const compile = time(() => {
      fresh = createMatcher(patterns);
    });
    const cold = time(() => feed(fresh, text));
    const warm = time(() => feed(fresh, text));
    return { compile, cold, ratio: cold / warm, worst: worstPush(createMatcher(patterns), text) };
  });
  const [compile, cold] = [
    median(rounds.map((round) => round.compile)),
    median(rounds.map((round) => round.cold)),
  ];
  console.log(`${rules} rules: ${ms(compile)} to compile, ${ms(cold)} cold`);
  verdict("  cold costs", median(rounds.map(({ ratio }) => ratio)), "× warm", 25);
  verdict("  the worst push took", least(rounds.map(({ worst }) => worst)), "ms", 10);
}

/** Of several matchers, so that what the collector has not found yet weighs little. */
function benchMemory(text: string): void {
  const patterns = benchPatterns(1000);
  const before = heapBytes();
  const matchers = Array.from({ length: 4 }, () => createMatcher(patterns));
  for (const matcher of matchers) feed(matcher, text);
  const bytes = (heapBytes() - before) / matchers.length;
  verdict("1,000 rules hold", bytes / MB, "MB after 1 MB of text", 32);
  for (const matcher of matchers) matcher.restart();
}

function heapBytes(): number {
  Bun.gc(true);
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
}

function benchEvil(): void {
  const rows = EVIL.map(({ name, pattern, flags = "", text }) => {
    const rounds = Array.from({ length: COLD_ROUNDS }, () => {
      const matcher = new StreamMatcher([{ id: name, patterns: [pattern], flags }]);
      let push = 0;
      const total = time(() => {
        push = worstPush(matcher, text);
        matcher.end();
      });
      return { total, push };
    });
    return {
      name,
      total: median(rounds.map(({ total }) => total)),
      push: least(rounds.map(({ push }) => push)),
    };
  });
  const slowest = rows.reduce((most, row) => (row.total > most.total ? row : most));
  const worst = rows.reduce((most, row) => (row.push > most.push ? row : most));
  console.log(`\n${EVIL.length} evil patterns, cold, each on the text that made others hang:`);
  verdict(`  the slowest (${slowest.name}) took`, slowest.total, "ms in all", 10);
  verdict(`  the worst push (${worst.name}) took`, worst.push, "ms", 5);
}

function benchCounters(text: string): void {
  const letters = randomLetters(MB / 8);
  const pairs = Array.from(
    { length: 100 },
    (_, k) => `${"recontalo"[k % 9]}${"aeioustrnl"[k % 10]}.{30}Zq${k}`,
  );
  console.log("\nCounted repetition, MB/s, cold:");
  const rows: readonly (readonly [string, readonly string[], string])[] = [
    ["a[ab]{20}c on random ab", ["a[ab]{20}c"], letters],
    ["a[ab]{100}c on random ab", ["a[ab]{100}c"], letters],
    ["a[ab]{1000}c on random ab", ["a[ab]{1000}c"], letters],
    ["100 × x.{30}y on text", pairs, text.slice(0, MB / 8)],
    ["\\w{1,2000}\\$\\$ on text", ["\\w{1,2000}\\$\\$"], text],
  ];
  for (const [name, patterns, subject] of rows) {
    const spent = time(() => feed(createMatcher(patterns), subject));
    console.log(`  ${name.padEnd(28)} ${((subject.length / MB / spent) * 1000).toFixed(1)}`);
  }
}

function createMatcher(patterns: readonly string[]): StreamMatcher {
  return new StreamMatcher(patterns.map((pattern, k) => ({ id: `rule ${k}`, patterns: [pattern] })));
}

function toRegExp(pattern: string): RegExp {
  const { flags, rest } = splitLeadingFlags(pattern);
  return new RegExp(rest, flags);
}

function feed(matcher: StreamMatcher, text: string): number {
  let fires = 0;
  matcher.restart();
  for (let from = 0; from < text.length; from += CHUNK)
    fires += matcher.push(text.slice(from, from + CHUNK)).length;
  return fires + matcher.end().length;
}

/** Feeds a text; the milliseconds of the slowest push. */
function worstPush(matcher: StreamMatcher, text: string): number {
  let worst = 0;
  for (let from = 0; from < text.length; from += CHUNK) {
    worst = Math.max(
      worst,
      time(() => matcher.push(text.slice(from, from + CHUNK))),
    );
  }
  return worst;
}

function testWholeBuffer(expressions: readonly RegExp[], text: string): number {
  let buffer = "";
  let hits = 0;
  for (let from = 0; from < text.length; from += CHUNK) {
    buffer += text.slice(from, from + CHUNK);
    for (const expression of expressions) if (expression.test(buffer)) hits++;
  }
  return hits;
}

function testLast512(expressions: readonly RegExp[], text: string): number {
  let buffer = "";
  let hits = 0;
  for (let from = 0; from < text.length; from += CHUNK) {
    buffer += text.slice(from, from + CHUNK);
    if (buffer.length > 1024) buffer = buffer.slice(-512);
    for (const expression of expressions) if (expression.test(buffer)) hits++;
  }
  return hits;
}

function time(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function processorTime(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Of the slowest pushes of several runs: a push that is slow for its own sake is slow in each of them. */
function least(values: readonly number[]): number {
  return Math.min(...values);
}

function ms(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function verdict(what: string, value: number, unit: string, most: number): void {
  console.log(
    `${what} ${value.toFixed(2)} ${unit} (at most ${most}): ${value <= most ? "reached" : "MISSED"}`,
  );
}
