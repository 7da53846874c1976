import { expect, test } from "bun:test";
import { sweepRounds } from "./fuzz/sweep.ts";

test("StreamMatcher keeps its properties on random patterns and texts", () => {
  const { failures, nativeDiffers, cases, fired } = sweepRounds(20_240_601, 150);
  expect({ failures, nativeDiffers }).toEqual({ failures: [], nativeDiffers: [] });
  expect(cases).toBeGreaterThan(5000);
  expect(fired).toBeGreaterThan(1500);
});
