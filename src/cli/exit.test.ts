import { expect, test } from "bun:test";
import type { ErrorKind } from "../base/errors.ts";
import { COMMON_EXIT_CODES, EXIT_CODES, EXIT_FINDINGS, EXIT_OK, exitCodeOf } from "./exit.ts";

const EXPECTED: Readonly<Record<ErrorKind, number>> = {
  failed: 1,
  usage: 2,
  nothing: 4,
  cancelled: 5,
  limit: 6,
  rule: 7,
  input: 65,
  notFound: 66,
  unavailable: 69,
  bug: 70,
  locked: 75,
  denied: 77,
  settings: 78,
  sighup: 129,
  sigint: 130,
  pipe: 141,
  sigterm: 143,
};

test("exitCodeOf() gives the documented code of every kind", () => {
  for (const [kind, code] of Object.entries(EXPECTED)) expect(exitCodeOf(kind as ErrorKind)).toBe(code);
});

test("EXIT_CODES lists every code that can be given, once, in order", () => {
  const codes = EXIT_CODES.map((row) => row.code);
  const given = [EXIT_OK, EXIT_FINDINGS, ...Object.values(EXPECTED)].sort((a, b) => a - b);
  expect(codes).toEqual(given);
  for (const code of COMMON_EXIT_CODES) expect(codes).toContain(code);
});
