import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { reasonOf } from "./system-error.ts";

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
}

test("reasonOf() gives words for what the system refused, without code, call or path", () => {
  expect(reasonOf(thrownBy(() => readFileSync("/nonexistent/x")))).toBe("no such file or directory");
  expect(reasonOf(thrownBy(() => readFileSync("/")))).toBe("it is a directory");
  expect(reasonOf(Object.assign(new Error("EXDEV: cross-device link, rename"), { code: "EXDEV" }))).toBe(
    "EXDEV",
  );
});

test("reasonOf() gives the message of anything else", () => {
  expect(reasonOf(new Error("it is closed"))).toBe("it is closed");
  expect(reasonOf(Object.assign(new Error("bad argument"), { code: "ERR_INVALID_ARG_TYPE" }))).toBe(
    "bad argument",
  );
  expect(reasonOf("gone")).toBe("gone");
});
