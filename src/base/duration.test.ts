import { expect, test } from "bun:test";
import { parseDuration, renderDuration } from "./duration.ts";

test("parseDuration() reads units, sums and bare seconds", () => {
  const rows: readonly (readonly [string, number | undefined])[] = [
    ["500ms", 500],
    ["30s", 30_000],
    ["5m", 300_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    ["10", 10_000],
    ["0", 0],
    ["2d", 172_800_000],
    ["", undefined],
    ["5 m", undefined],
    ["-5s", undefined],
    ["5min", undefined],
  ];
  for (const [text, ms] of rows) expect([text, parseDuration(text)]).toEqual([text, ms]);
});

test("renderDuration() is short at every size", () => {
  expect([850, 2400, 200_000, 3_900_000, 172_799_000, 22_957_000_000].map(renderDuration)).toEqual([
    "850 ms",
    "2.4 s",
    "3 m 20 s",
    "1 h 5 m",
    "47 h 59 m",
    "265 d 16 h",
  ]);
});
