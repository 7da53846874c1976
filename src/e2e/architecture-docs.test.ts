// docs/architecture.md is true: what it names is in the sources.

import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = join(import.meta.dir, "..");
const PAGE = readFileSync(join(SOURCES, "../docs/architecture.md"), "utf8");

/** "`name` in `path`" and "`Type.member` in `path`" of the page, once each. */
const named = new Map(
  [...PAGE.matchAll(/`([\w.]+)` in `([\w/.-]+\.ts)`/g)].map(([phrase, name = "", path = ""]) => [
    phrase,
    { name, path },
  ]),
);

describe("docs/architecture.md", () => {
  test("names at least what readers of other systems look for", () => {
    expect(named.size).toBeGreaterThan(12);
  });

  test.each([...named])("has it right: %s", (_, { name, path }) => {
    const source = readFileSync(join(SOURCES, path), "utf8");
    const [type = "", member] = name.split(".");
    const declared = new RegExp(`^export .*\\b${type}\\b`, "m");
    const memberDeclared = new RegExp(`^ +(?:readonly )?${member ?? type}[?(:]`, "m");
    expect(source).toMatch(member === undefined && declared.test(source) ? declared : memberDeclared);
  });

  test("names files and rooms that are there", () => {
    const paths = [...PAGE.matchAll(/`((?:[\w-]+\/)+[\w.-]*)`/g)].map(([, path = ""]) => path);
    const missing = paths.filter(
      (path) => !existsSync(join(SOURCES, path)) && !existsSync(join(SOURCES, "..", path)),
    );
    expect(missing).toEqual([]);
    expect(paths.length).toBeGreaterThan(12);
  });
});
