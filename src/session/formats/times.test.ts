import { expect, test } from "bun:test";
import { isoTime } from "./times.ts";

test("isoTime() reads ISO text and Unix time in seconds or milliseconds, and refuses the rest", () => {
  expect([
    isoTime("2026-05-04T09:00:00Z"),
    isoTime("2026-05-04T11:00:00+02:00"),
    isoTime(1_777_885_200),
    isoTime(1_777_885_200_123),
    isoTime("2026-13-99T00:00:00Z"),
    isoTime("yesterday"),
    isoTime(-1),
    isoTime(1e300),
    isoTime(null),
  ]).toEqual([
    "2026-05-04T09:00:00.000Z",
    "2026-05-04T09:00:00.000Z",
    "2026-05-04T09:00:00.000Z",
    "2026-05-04T09:00:00.123Z",
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
