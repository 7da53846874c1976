import { expect, test } from "bun:test";
import { linkSync, symlinkSync } from "node:fs";
import { tempDir } from "../testing/temp.ts";
import { isSameFile } from "./same-file.ts";

test("isSameFile() sees through links and names, where a file stands and where none does yet", () => {
  using dir = tempDir();
  const at = (name: string) => `${dir.path}/${name}`;
  dir.write("a", "x");
  dir.write("b", "x");
  dir.write("below/.keep", "");
  linkSync(at("a"), at("hard"));
  symlinkSync("a", at("soft"));
  symlinkSync("new", at("to-new"));
  symlinkSync("to-new", at("to-to-new"));
  symlinkSync("below", at("into"));
  symlinkSync("circle", at("circle"));
  const pairs = [
    ["a", "a", true],
    ["a", "b", false],
    ["a", "hard", true],
    ["a", "soft", true],
    ["hard", "soft", true],
    ["a", "new", false],
    ["new", "new", true],
    ["new", "to-new", true],
    ["new", "to-to-new", true],
    ["new", "other", false],
    ["below/n", "into/n", true],
    ["no/directory", "no/directory", true],
    ["circle", "a", false],
    ["circle", "circle", true],
  ] as const;
  for (const [one, other, same] of pairs) {
    expect([one, other, isSameFile(at(one), at(other))]).toEqual([one, other, same]);
    expect([other, one, isSameFile(at(other), at(one))]).toEqual([other, one, same]);
  }
});

test("isSameFile() takes no device for a file that two would write to", () => {
  expect(isSameFile("/dev/null", "/dev/null")).toBe(false);
});
