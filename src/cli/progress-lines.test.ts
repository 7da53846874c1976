import { expect, test } from "bun:test";
import { progressLines, updatingLine } from "./progress-lines.ts";

test("progressLines() gives the newest text once a tick, and the same one again after six", () => {
  const lines = progressLines();
  lines.show("waiting");
  lines.show("writing");
  const given = Array.from({ length: 8 }, () => lines.tick());
  expect(given).toEqual(["writing", ...Array(5).fill(undefined), "writing", undefined]);
  lines.show("waiting");
  expect([lines.tick(), lines.tick()]).toEqual(["waiting", undefined]);
});

test("progressLines() gives nothing while nothing goes on", () => {
  const lines = progressLines();
  expect(lines.tick()).toBe(undefined);
  lines.show("waiting");
  lines.show(undefined);
  expect(Array.from({ length: 8 }, () => lines.tick())).toEqual(Array(8).fill(undefined));
});

test("updatingLine() is one row, whatever the text and however narrow the terminal", () => {
  expect(updatingLine("agent: turn 1:\nbash")).toBe("\r\u001b[K\u001b[?7lagent: turn 1: bash\u001b[?7h");
  expect(updatingLine("x".repeat(300))).toBe(`\r\u001b[K\u001b[?7l${"x".repeat(200)}\u001b[?7h`);
});
