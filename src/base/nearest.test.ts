import { expect, test } from "bun:test";
import { nearest } from "./nearest.ts";

test("nearest() gives the word that was probably meant, and none that has nothing of it", () => {
  const words = ["handoff", "session", "maxTurns", "run"];
  expect(["handof", "sesions", "maxturns", "MAXTURN", "rn"].map((word) => nearest(word, words))).toEqual([
    "handoff",
    "session",
    "maxTurns",
    "maxTurns",
    "run",
  ]);
  expect(["xy", "a", "", "colour"].map((word) => nearest(word, words))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(nearest("run", [])).toBe(undefined);
});
