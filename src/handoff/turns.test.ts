import { expect, test } from "bun:test";
import { createTurns } from "./turns.ts";

test("createTurns() lets others run between two turns, and counts anew", async () => {
  const turns = createTurns(undefined);
  expect([turns.isOver(5_000_000), turns.isOver(5_000_000)]).toEqual([false, true]);
  let others = false;
  setImmediate(() => {
    others = true;
  });
  await turns.next();
  expect([others, turns.isOver(5_000_000)]).toEqual([true, false]);
});

test("createTurns() ends with the reason of a signal that came in", async () => {
  const controller = new AbortController();
  const turns = createTurns(controller.signal);
  setImmediate(() => controller.abort(new Error("stopped")));
  expect(turns.next()).rejects.toThrow("stopped");
});
