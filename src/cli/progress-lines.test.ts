import { expect, test } from "bun:test";
import { progressLines } from "./progress-lines.ts";

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
