import { expect, test } from "bun:test";
import { sweepManyRounds } from "./fuzz/many.ts";
import { sweepRounds } from "./fuzz/sweep.ts";

const PATIENCE_MS = 60_000;

test(
  "StreamMatcher keeps its properties on random patterns and texts",
  () => {
    const { failures, nativeDiffers, cases, fired } = sweepRounds(20_240_601, 8);
    expect({ failures, nativeDiffers }).toEqual({ failures: [], nativeDiffers: [] });
    expect(cases).toBeGreaterThan(2500);
    expect(fired).toBeGreaterThan(500);
  },
  PATIENCE_MS,
);

test(
  "StreamMatcher fires many rules like each alone when every cache and limit is too small",
  () => {
    const { failures, cases, fired } = sweepManyRounds(20_240_601, 20);
    expect(failures).toEqual([]);
    expect(cases).toBeGreaterThan(400);
    expect(fired).toBeGreaterThan(100);
  },
  PATIENCE_MS,
);
