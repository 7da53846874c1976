import { expect, test } from "bun:test";
import { colorFor } from "./io.ts";

test("colorFor() asks --color, then NO_COLOR and FORCE_COLOR, then the stream", () => {
  const rows = [
    [{ color: "always", env: { NO_COLOR: "1" } }, false, true],
    [{ color: "never", env: { FORCE_COLOR: "1" } }, true, false],
    [{ color: "auto", env: { NO_COLOR: "1", FORCE_COLOR: "1" } }, true, false],
    [{ color: "auto", env: { NO_COLOR: "" } }, true, true],
    [{ color: "auto", env: { FORCE_COLOR: "1" } }, false, true],
    [{ color: "auto", env: { FORCE_COLOR: "0" } }, true, false],
    [{ color: "auto", env: {} }, true, true],
    [{ color: "auto", env: {} }, false, false],
    [{ color: "auto", env: { TERM: "dumb" } }, true, false],
  ] as const;
  for (const [options, terminal, expected] of rows) {
    expect([options, terminal, colorFor(options, terminal)]).toEqual([options, terminal, expected]);
  }
});
