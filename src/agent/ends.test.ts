import { expect, test } from "bun:test";
import { endAtLimit } from "./ends.ts";

test("endAtLimit() names the limit, one as well as many", () => {
  const said = [
    endAtLimit("turns", { maxTurns: 1 }),
    endAtLimit("turns", { maxTurns: 50 }),
    endAtLimit("tokens", { maxTurns: 50, maxTokens: 1 }),
    endAtLimit("time", { maxTurns: 50 }),
  ].map(({ error }) => error?.message);
  expect(said).toEqual([
    "The run was ended at its limit of 1 turn (--max-turns)",
    "The run was ended at its limit of 50 turns (--max-turns)",
    "The run was ended at its limit of 1 generated token (--max-tokens)",
    "The run was ended at its time limit (--max-time)",
  ]);
});
