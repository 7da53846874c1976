import { expect, test } from "bun:test";
import { asksForShort } from "./words.ts";

test("asksForShort() finds a switch by its name and in a group of short ones, before --", () => {
  const asks = (...argv: string[]) => asksForShort(argv, "--quiet", "q");
  expect([asks("--quiet"), asks("-q"), asks("run", "-qv"), asks("run", "-Aq", "x")]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([asks(), asks("q"), asks("--query"), asks("-A"), asks("--", "-q")]).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});
