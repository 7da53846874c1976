import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../../testing/temp.ts";
import { findInPath, systemFirst } from "./find-program.ts";

test("systemFirst() puts directories of the system before those of the user, and adds none", () => {
  expect(systemFirst("/home/u/bin:/bin:/opt/x:/usr/bin")).toBe(
    "/usr/bin:/bin:/home/u/bin:/bin:/opt/x:/usr/bin",
  );
  expect(systemFirst("/nowhere")).toBe("/nowhere");
});

test("findInPath() gives the first file that can be run and is accepted", () => {
  using dir = tempDir();
  dir.write("a/tool", "");
  for (const name of ["b/tool", "c/tool"]) chmodSync(dir.write(name, ""), 0o755);
  const path = ["a", "b", "c"].map((name) => join(dir.path, name)).join(":");
  expect(findInPath("tool", path)).toBe(join(dir.path, "b/tool"));
  expect(findInPath("tool", path, (found) => !found.includes("/b/"))).toBe(join(dir.path, "c/tool"));
  expect(findInPath("other", path)).toBeUndefined();
});
