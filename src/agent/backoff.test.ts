import { expect, test } from "bun:test";
import { backoffDelay } from "./backoff.ts";

const delay = (attempt: number, random: number, retryAfterMs?: number) =>
  backoffDelay({ attempt, baseDelayMs: 500, retryAfterMs, random });

test("backoffDelay() doubles with each attempt and draws its upper half by chance", () => {
  expect([1, 2, 3].map((attempt) => [delay(attempt, 0), delay(attempt, 0.999)])).toEqual([
    [250, 500],
    [500, 1000],
    [1000, 1999],
  ]);
});

test("backoffDelay() stays below a minute of its own", () => {
  expect(delay(40, 0.999)).toBeLessThanOrEqual(60_000);
});

test("backoffDelay() is never shorter than the server asked for", () => {
  expect(delay(1, 0, 7_000)).toBe(7_000);
  expect(delay(1, 0.999, 10)).toBe(500);
});
