import { expect, test } from "bun:test";
import { testSummary } from "./test-summary.ts";

const SUMMARIES: readonly (readonly [
  runner: string,
  output: string,
  passed: number | null,
  failed: number | null,
])[] = [
  [
    "bun",
    "a.test.ts:\n(pass) x\n\n 12 pass\n 1 fail\n 30 expect() calls\nRan 13 tests across 2 files.",
    12,
    1,
  ],
  [
    "jest",
    "Test Suites: 1 failed, 2 passed, 3 total\nTests:       1 failed, 20 passed, 21 total\nTime: 2 s",
    20,
    1,
  ],
  ["vitest", " Test Files  1 failed (1)\n      Tests  1 failed | 3 passed (4)\n", 3, 1],
  ["pytest", "=========== 3 failed, 2 passed in 0.12s ===========", 2, 3],
  ["pytest -q", "FAILED a.py::t\n1 failed, 6 passed in 0.82s", 6, 1],
  [
    "cargo",
    "test result: FAILED. 30 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.31s",
    30,
    1,
  ],
  ["go", "--- FAIL: TestX (0.00s)\nFAIL\nFAIL\texample.com/x\t0.1s", null, null],
  ["go, ok", "ok  \texample.com/x\t0.1s", null, 0],
  ["node", "# tests 3\n# pass 2\n# fail 1\n", 2, 1],
  ["mocha", "  3 passing (12ms)\n  1 failing\n", 3, 1],
  ["deno", "FAILED | 3 passed | 1 failed (12ms)", 3, 1],
  ["rspec", "5 examples, 1 failure", 4, 1],
  ["minitest", "5 runs, 9 assertions, 1 failures, 1 errors, 0 skips", 3, 2],
  ["phpunit, failed", "Tests: 3, Assertions: 5, Failures: 1.", 2, 1],
  ["phpunit", "OK (3 tests, 5 assertions)", 3, 0],
  ["maven", "[ERROR] Tests run: 5, Failures: 1, Errors: 2, Skipped: 0", 2, 3],
  ["dotnet", "Failed!  - Failed:     1, Passed:     3, Skipped:     0, Total:     4", 3, 1],
  ["ctest", "98% tests passed, 1 tests failed out of 64", null, 1],
  ["coloured", "\u001b[32m 4 pass\u001b[0m\n\u001b[31m 0 fail\u001b[0m", 4, 0],
];

for (const [runner, output, passed, failed] of SUMMARIES) {
  test(`testSummary() reads the summary of ${runner}`, () => {
    expect(testSummary(output)).toMatchObject({ passed, failed });
  });
}

test("testSummary() finds none in other output", () => {
  for (const output of [
    "",
    "all tests passed the review",
    "password ok",
    "compiled 3 files",
    "fail",
    "pass",
  ]) {
    expect(testSummary(output)).toBeUndefined();
  }
});
