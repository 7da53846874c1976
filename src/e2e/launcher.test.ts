// scripts/agent: sets up on its own, works from any directory and through a link, and runs nothing of that directory.

import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
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

/** Files outside of `src` that the sources import: they are in the binary too. */
function importedFromBeside(): readonly string[] {
  const files = [...new Bun.Glob("src/**/*.ts").scanSync(ROOT)].filter(
    (file) => !/\.(test|deno|cases)\.ts$|^src\/(e2e|testing)\//.test(file),
  );
  const imported = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(/ from "(\.\.?\/[^"]+)"/g)].map(([, to = ""]) =>
      relative(ROOT, join(ROOT, file, "..", to)),
    ),
  );
  return [...new Set(imported.filter((file) => !file.startsWith("src/")))].sort();
}

test("scripts/agent compiles anew when something that goes into the binary is newer", () => {
  using checkout = tempDir();
  checkoutWithoutBinary(checkout.path);
  checkout.write("scripts/build.ts", "");
  checkout.write("dist/agent", "#!/bin/sh\n");
  const at = (file: string) => join(checkout.path, file);
  chmodSync(at("dist/agent"), 0o755);
  const setAge = (file: string, seconds: number) =>
    utimesSync(at(file), Date.now() / 1000 + seconds, Date.now() / 1000 + seconds);
  const said = () => spawnSync(at("scripts/agent"), { encoding: "utf8" }).stderr;
  setAge("dist/agent", 1_000);
  expect(said()).toBe("");
  const files = importedFromBeside();
  expect(files).toContain("package.json");
  for (const file of ["src/main.ts", "package-lock.json", ...files]) {
    setAge(file, 2_000);
    expect([file, said()]).toEqual([file, "agent: compiling dist/agent (once)\n"]);
    setAge(file, 0);
  }
});
