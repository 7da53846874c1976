// scripts/agent: sets up on its own, works from any directory and through a link, and runs nothing of that directory.

import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { tempDir } from "../testing/temp.ts";

const ROOT = join(import.meta.dir, "../..");
const PROJECT = [
  "src",
  "docs",
  "fixtures",
  "scripts",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "bunfig.toml",
];

/** A checkout whose packages are there and whose binary is not. */
function checkoutWithoutBinary(path: string): string {
  for (const item of PROJECT) cpSync(join(ROOT, item), join(path, item), { recursive: true });
  linkPackages(path);
  return path;
}

/**
 * The packages of this checkout by links in a folder of its own, stamped as installed: an install of the copy must never
 * reach through to the packages that this test runs on.
 */
function linkPackages(path: string): void {
  const packages = join(path, "node_modules");
  mkdirSync(packages);
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (name !== ".installed") symlinkSync(join(ROOT, "node_modules", name), join(packages, name));
  }
  const sum = spawnSync("cksum", { input: readFileSync(join(path, "package-lock.json")), encoding: "utf8" });
  writeFileSync(join(packages, ".installed"), `all ${sum.stdout}`);
}

test("scripts/agent compiles once, through a link, in a hostile directory, and runs nothing of it", () => {
  using checkout = tempDir();
  using hostile = tempDir();
  checkoutWithoutBinary(checkout.path);
  hostile.write("evil.ts", `require("node:fs").writeFileSync("${join(hostile.path, "owned")}", "1");`);
  hostile.write("bunfig.toml", `preload = ["./evil.ts"]\n[test]\npreload = ["./evil.ts"]\n`);
  hostile.write(".env", "AGENT_HOME=/nonexistent\nBUN_OPTIONS=--preload=./evil.ts\n");
  hostile.write(
    "package.json",
    `{"name":"evil","scripts":{"preinstall":"touch owned","postinstall":"touch owned"}}`,
  );
  hostile.write(".npmrc", "ignore-scripts=false\nprefix=/nonexistent\n");
  const link = join(hostile.path, "agent");
  symlinkSync(join(checkout.path, "scripts/agent"), link);
  const first = spawnSync(link, ["--version"], { cwd: hostile.path, encoding: "utf8" });
  expect([first.status, first.stdout]).toEqual([0, expect.stringMatching(/^agent \d+\.\d+\.\d+\n$/)]);
  expect(first.stderr).toBe("agent: compiling dist/agent (once)\nagent: built dist/agent\n");
  const second = spawnSync(link, ["--version"], { cwd: hostile.path, encoding: "utf8" });
  expect([second.status, second.stderr]).toEqual([0, ""]);
  expect(existsSync(join(hostile.path, "owned"))).toBe(false);
});
