import { expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { isatty } from "node:tty";
import { tempDir } from "../testing/temp.ts";
import { isTerminal } from "./terminal.ts";

test("isTerminal() answers what isatty does, of files, devices and what is closed", () => {
  using dir = tempDir();
  for (const path of [dir.write("file", ""), "/dev/null", "/dev/zero", "/dev/ptmx"]) {
    const fd = openSync(path, "r+");
    const [answer, expected] = [isTerminal(fd), isatty(fd)];
    closeSync(fd);
    expect([path, answer]).toEqual([path, expected]);
    // The master of a pseudo terminal is one on Linux.
    if (path === "/dev/ptmx" && process.platform === "linux") expect(answer).toBe(true);
  }
  expect(isTerminal(999)).toBe(false);
});
