import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../testing/temp.ts";
import { leadsOut, leadsUp } from "./leads-out.ts";

test("leadsOut() follows the links of both paths", () => {
  using dir = tempDir();
  const at = (name: string) => join(dir.path, name);
  dir.write("root/inside/file", "");
  dir.write("root-too/file", "");
  symlinkSync("../root-too", at("root/out"));
  symlinkSync("inside/file", at("root/in"));
  symlinkSync("root", at("alias"));
  const names = [
    "root",
    "root/inside/file",
    "root/in",
    "alias/in",
    "root/out",
    "root/out/file",
    "root-too/file",
    "root/missing",
  ];
  expect(names.map((name) => leadsOut(at("root"), at(name)))).toEqual([
    false,
    false,
    false,
    false,
    true,
    true,
    true,
    false,
  ]);
  expect(leadsOut(at("alias"), at("root/inside"))).toBe(false);
  expect(leadsOut("/", at("root"))).toBe(false);
});

test("leadsUp() is about the words of a relative path", () => {
  const leading = ["..", "../a", "..a", "...", "a/../b", ""].filter(leadsUp);
  expect(leading).toEqual(["..", "../a"]);
});
