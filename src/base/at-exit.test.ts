import { expect, test } from "bun:test";
import { atExit, runExitActions } from "./at-exit.ts";

test("runExitActions() runs every action once, also after one that fails, and none that was taken back", () => {
  const ran: string[] = [];
  atExit(() => ran.push("first"));
  atExit(() => {
    throw new Error("fails");
  });
  const takeBack = atExit(() => ran.push("taken back"));
  atExit(() => ran.push("last"));
  takeBack();
  runExitActions();
  runExitActions();
  expect(ran).toEqual(["first", "last"]);
});
