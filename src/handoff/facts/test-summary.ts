// The summary lines of known test runners. Found from the end of the output, since that is where a run says how it went.

export interface TestSummary {
  readonly summary: string;
  readonly passed: number | null;
  readonly failed: number | null;
}

interface Runner {
  /** What the summary line looks like; groups `passed`, or `total`, and `failed`, `errors` where it has numbers. */
  readonly line: RegExp;
  /** Numbers that stand on a line of their own near the summary line. */
  readonly also?: { readonly passed?: RegExp; readonly failed?: RegExp };
}

const RUNNERS: readonly Runner[] = [
  // pytest
  {
    line: /^=+ (?=.*(?:passed|failed|error))(?:.*?(?<failed>\d+) failed)?(?:.*?(?<passed>\d+) passed)?.* in [\d.:]+ ?s.*=+$/,
  },
  { line: /^(?:(?<failed>\d+) failed, ?)?(?<passed>\d+) passed(?:, .*)? in [\d.]+s/ },
  // jest, vitest
  { line: /^\s*Tests:?\s+(?:.*?(?<failed>\d+) failed)?(?:.*?(?<passed>\d+) passed).*/ },
  { line: /^\s*Tests:?\s+(?<failed>\d+) failed.*/ },
  // cargo
  { line: /^test result: \w+\. (?<passed>\d+) passed; (?<failed>\d+) failed;.*/ },
  // deno
  { line: /^(?:ok|FAILED) \| (?<passed>\d+) passed.*?\| (?<failed>\d+) failed.*/ },
  // a plain sum
  { line: /^\s*(?<passed>\d+) (?:tests? )?passed[,;] (?<failed>\d+) (?:tests? )?failed\b.*/i },
  // dotnet
  { line: /^\s*(?:Passed|Failed)!\s+- Failed:\s+(?<failed>\d+), Passed:\s+(?<passed>\d+).*/ },
  // rspec, minitest
  { line: /^(?<total>\d+) examples?, (?<failed>\d+) failures?.*/ },
  {
    line: /^(?<total>\d+) (?:runs|tests), \d+ assertions, (?<failed>\d+) failures(?:, (?<errors>\d+) errors)?.*/,
  },
  // phpunit
  { line: /^OK \((?<passed>\d+) tests?, \d+ assertions?\)/ },
  {
    line: /^Tests: (?<total>\d+), Assertions: \d+(?:, Errors: (?<errors>\d+))?.*?Failures: (?<failed>\d+).*/,
  },
  // maven, ctest, unittest
  { line: /^(?:\[\w+\] )?Tests run: (?<total>\d+), Failures: (?<failed>\d+)(?:, Errors: (?<errors>\d+))?.*/ },
  { line: /^\d+% tests passed, (?<failed>\d+) tests? failed out of \d+/ },
  { line: /^FAILED \((?:failures|errors)=(?<failed>\d+).*\)/ },
  // bun, node, mocha, tap: the counts stand on lines of their own
  { line: /^\s*(?<passed>\d+) pass$/, also: { failed: /^\s*(\d+) fail$/m } },
  { line: /^(?:#|ℹ) pass (?<passed>\d+)$/, also: { failed: /^(?:#|ℹ) fail (\d+)$/m } },
  { line: /^\s*(?<passed>\d+) passing\b.*/, also: { failed: /^\s*(\d+) failing\b/m } },
  { line: /^\s*(?<failed>\d+) failing\b.*/ },
  // playwright
  { line: /^\s*(?<passed>\d+) passed \([\d.]+m?s\)/, also: { failed: /^\s*(\d+) failed$/m } },
  // go, gradle
  { line: /^--- FAIL: .*/ },
  { line: /^(?:FAIL|ok {2}|ok)\t\S+.*/ },
  { line: /^BUILD (?:SUCCESSFUL|FAILED).*/ },
];

/** Every summary line has one of these; most lines of most outputs have none. */
const MARK = /pass|PASS|[Ff]ail|FAIL|Tests:?\s|^ok\s|OK \(|BUILD |examples|assertions/;
const TAIL_LENGTH = 6000;
/** A summary stands at the end: this many lines are looked at. */
const TAIL_LINES = 60;

/** The last summary line in the end of an output, if a known runner wrote one. Looks at the last 6,000 characters. */
export function testSummary(output: string): TestSummary | undefined {
  const end = output.length > TAIL_LENGTH ? output.slice(-TAIL_LENGTH) : output;
  if (!MARK.test(end)) return undefined;
  const tail = stripAnsi(end);
  const lines = tail
    .split("\n")
    .slice(-TAIL_LINES)
    .filter((line) => line.length < 300 && MARK.test(line));
  for (const runner of RUNNERS) {
    const line = lines.findLast((candidate) => runner.line.test(candidate));
    if (line !== undefined) return summaryOf(runner, line, tail);
  }
  return undefined;
}

function summaryOf(runner: Runner, line: string, tail: string): TestSummary {
  const groups = runner.line.exec(line)?.groups ?? {};
  const failedLine = runner.also?.failed?.exec(tail)?.[0];
  const told = groups["failed"] ?? runner.also?.failed?.exec(tail)?.[1];
  const failed =
    told === undefined ? failedWithoutNumber(line) : Number(told) + Number(groups["errors"] ?? 0);
  const passed = groups["passed"] ?? passedOf(groups["total"], failed);
  const summary = [line, failedLine].flatMap((part) => (part === undefined ? [] : [part.trim()])).join(", ");
  return {
    summary: summary.replace(/^=+ ?| ?=+$/g, "").replace(/\s+/g, " "),
    passed: passed === undefined ? null : Number(passed),
    failed,
  };
}

/** Of runners that count what ran. */
function passedOf(total: string | undefined, failed: number | null): number | undefined {
  return total === undefined ? undefined : Number(total) - (failed ?? 0);
}

/** Lines that say how it went without counting: `FAIL pkg`, `ok pkg`, `BUILD FAILED`, `OK (3 tests, 5 assertions)`. */
function failedWithoutNumber(line: string): number | null {
  if (/\bFAIL/.test(line)) return null;
  return /\bok\b|\bOK\b|SUCCESSFUL|passed|passing|pass/.test(line) ? 0 : null;
}

/** Whether the line only sums up a run. */
export function isSummaryLine(line: string): boolean {
  if (!MARK.test(line)) return false;
  return RUNNERS.some((runner) => runner.line.test(line)) || /^\s*\d+ fail(?:ed|ing)?$/.test(line);
}

/** Without colour and cursor sequences. */
export function stripAnsi(text: string): string {
  return text.includes("\u001b")
    ? text.replace(/\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?/g, "")
    : text;
}
