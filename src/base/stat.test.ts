import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../testing/temp.ts";
import { statOf } from "./stat.ts";

test("statOf() sees what is there", () => {
  using dir = tempDir();
  expect(statOf(dir.path)?.isDirectory()).toBe(true);
  expect(statOf(dir.write("a", ""))?.isFile()).toBe(true);
});

test("statOf() gives nothing for a path that no file can have or that leads nowhere", () => {
  using dir = tempDir();
  symlinkSync("loop", join(dir.path, "loop"));
  const file = dir.write("a", "");
  const paths = ["", "\0", `${dir.path}\0`, `/${"a".repeat(5_000)}`, "/a".repeat(5_000)];
  for (const path of [...paths, join(dir.path, "loop"), join(dir.path, "no"), join(file, "b")])
    expect(statOf(path)).toBe(undefined);
});
