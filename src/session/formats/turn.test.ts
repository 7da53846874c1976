import { expect, test } from "bun:test";
import { DEFAULT_CONVERSION } from "./format.ts";
import type { Place } from "./output.ts";
import { createOutputQueue } from "./output-queue.ts";
import { createTurn } from "./turn.ts";

const PLACE: Place = { source: { value: {}, line: 1, text: "" } };
const PART = { key: "m", place: PLACE, blocks: [], api: "a", provider: "p", model: "m" };

test("Turn.custom() places entries after the message that is open, and keeps nothing of those that are only counted", () => {
  const queue = createOutputQueue("claude", DEFAULT_CONVERSION);
  const turn = createTurn(queue.output);
  turn.add(PART);
  for (let index = 0; index < 150; index++) turn.custom("claude:progress", { index }, PLACE);
  // Counted while the message is still open: nothing waits for its end.
  const { report } = queue.end(0).findLast((item) => item.kind === "report") ?? {};
  expect(report?.counted).toEqual([{ kind: "claude:progress", reason: "more of the same", count: 50 }]);
  turn.end();
  const types = queue.end(0).map((item): string => (item.kind === "entry" ? item.entry.type : item.kind));
  expect(types).toEqual(["message", ...Array.from({ length: 100 }, () => "custom"), "report"]);
});
