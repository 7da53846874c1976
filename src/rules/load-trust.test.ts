// Links of a project that lead out of it make rules of its user's files: only with trust.

import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { tempDir } from "../testing/temp.ts";
import { loadRules } from "./load.ts";

const RULE = "---\ncondition: x\n---\nBody.\n";

test("loadRules() leaves out what links lead out of a project that is not trusted, and says so once", async () => {
  using dir = tempDir();
  const at = (name: string) => join(dir.path, name);
  dir.write("elsewhere/a.md", RULE);
  dir.write("elsewhere/b.md", RULE);
  dir.write("repo/.git/HEAD", "");
  dir.write("repo/shared/c.md", RULE);
  dir.write("repo/.agent/rules/d.md", RULE);
  symlinkSync(at("elsewhere"), at("repo/.agent/rules/folder"));
  symlinkSync(at("elsewhere/b.md"), at("repo/.agent/rules/b.md"));
  symlinkSync(at("repo/shared"), at("repo/.agent/rules/inside"));
  mkdirSync(at("repo/.claude"));
  symlinkSync(at("elsewhere"), at("repo/.claude/rules"));
  const request = { cwd: at("repo"), home: "", env: {}, rulesDirs: [] };
  const untrusted = await loadRules({ ...request, trusted: () => false });
  expect(untrusted.rules.map((rule) => rule.name)).toEqual(["d", "c"]);
  expect(untrusted.warnings).toEqual(
    [".agent/rules/b.md", ".agent/rules/folder", ".claude/rules"].map(
      (name) =>
        `${at(`repo/${name}`)} ignored: it is a symbolic link out of the project, which is not trusted`,
    ),
  );
  const names = (rules: readonly { readonly name: string }[]) => rules.map((rule) => rule.name).toSorted();
  expect(names((await loadRules({ ...request, trusted: () => true })).rules)).toEqual(["a", "b", "c", "d"]);
  const named = await loadRules({ ...request, rulesDirs: [".claude/rules"], trusted: () => false });
  expect(names(named.rules)).toEqual(["a", "b", "c", "d"]);
});
