import { expect, test } from "bun:test";
import { realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../testing/temp.ts";
import { entriesIn, isThere, realOf, realPath, realPathOf, statOf } from "./stat.ts";

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

test("realPath() follows links; realOf() and realPathOf() also give what they can of a path that leads nowhere", () => {
  using dir = tempDir();
  const real = realpathSync(dir.path);
  dir.write("folder/file", "");
  symlinkSync("folder", join(dir.path, "link"));
  symlinkSync("nowhere", join(dir.path, "dangling"));
  const shapes = (name: string) => {
    const path = join(real, name);
    return [realPath(path), realOf(path), realPathOf(path)].map((found) => found?.replace(real, ""));
  };
  expect(shapes("link/file")).toEqual(["/folder/file", "/folder/file", "/folder/file"]);
  expect(shapes("link/new/er")).toEqual([undefined, "/link/new/er", "/folder/new/er"]);
  expect(shapes("dangling")).toEqual([undefined, "/dangling", "/dangling"]);
});

test("isThere() and entriesIn() see links that lead nowhere, and nothing where there is nothing", () => {
  using dir = tempDir();
  symlinkSync("nowhere", join(dir.path, "dangling"));
  expect([join(dir.path, "dangling"), join(dir.path, "no")].map(isThere)).toEqual([true, false]);
  expect(entriesIn(dir.path).map(({ name }) => name)).toEqual(["dangling"]);
  expect(entriesIn(join(dir.path, "no"))).toEqual([]);
});
