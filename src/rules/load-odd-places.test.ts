import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { tempDir } from "../testing/temp.ts";
import { loadRules } from "./load.ts";

test("loadRules() finds no rules where a file or a link that goes round is in the way", async () => {
  using dir = tempDir();
  dir.write("project/.agent", "a file");
  dir.write("project/.claude/rules/good.md", "---\nalwaysApply: true\n---\nBe kind.\n");
  symlinkSync("loop.md", `${dir.path}/project/.claude/rules/loop.md`);
  const loaded = await loadRules({
    cwd: `${dir.path}/project`,
    home: dir.path,
    env: { AGENT_HOME: dir.write("home", "a file") },
    rulesDirs: [],
  });
  expect(loaded.rules.map((rule) => rule.name)).toEqual(["good"]);
});
