import { expect, test } from "bun:test";
import { errorLine, showsFailure } from "./error-line.ts";

const LINES: readonly (readonly [what: string, output: string, line: string])[] = [
  [
    "a compiler",
    "Checking…\nsrc/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.\nFound 1 error.",
    "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
  ],
  [
    "a test runner",
    "✗ login > works\nTypeError: x is undefined\n    at f (a.ts:1:2)\n\n 7 pass\n 1 fail",
    "✗ login > works: TypeError: x is undefined",
  ],
  ["a shell", "zsh:1: command not found: pytest", "zsh:1: command not found: pytest"],
  [
    "a package runner",
    "npm error code 2\nnpm error path /x\nnpm error command failed\nError: boom",
    "Error: boom",
  ],
  [
    "Rust",
    "error[E0502]: cannot borrow `x` as mutable\n --> a.rs:1\nerror: could not compile `p`",
    "error[E0502]: cannot borrow `x` as mutable",
  ],
  [
    "a panic",
    "thread 'main' panicked at a.rs:12:5:\ncorpus is missing\nnote: run with `RUST_BACKTRACE=1`",
    "thread 'main' panicked at a.rs:12:5: corpus is missing",
  ],
  [
    "Python",
    "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'x'",
    "KeyError: 'x'",
  ],
  ["git", "fatal: not a git repository", "fatal: not a git repository"],
  ["words alone", "it did not work\nsorry\n\n\nCommand exited with code 1", "sorry"],
  ["nothing", "(no output)", ""],
];

for (const [what, output, line] of LINES) {
  test(`errorLine() finds the telling line of ${what}`, () => {
    expect(errorLine(output, 200)).toBe(line);
  });
}

test("showsFailure() tells failed output from output that speaks of failures", () => {
  expect(showsFailure("npm error code 1")).toBe(true);
  expect(showsFailure("src/a.ts(1,2): error TS2305: no")).toBe(true);
  expect(showsFailure("fixed the error handling\n0 errors")).toBe(false);
});
