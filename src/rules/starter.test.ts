import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_SETTINGS } from "../settings/settings.ts";
import { BUILT_IN_TOOLS } from "../tools/names.ts";
import { checkRules } from "./check.ts";
import { loadRules } from "./load.ts";

describe("the starter rules", async () => {
  const directory = join(import.meta.dir, "../../fixtures/rules/starter");
  const names = readdirSync(directory).map((file) => file.replace(/\.md$/, ""));
  const request = { cwd: "/", home: "", env: {}, rulesDirs: [directory] };
  const loaded = await loadRules(request);

  test.each(names)("%s has examples of both kinds and nothing wrong", (name) => {
    const found = loaded.rules.find((each) => each.name === name);
    expect(found?.examples.match.length).toBeGreaterThan(0);
    expect(found?.examples.pass.length).toBeGreaterThan(0);
    const report = checkRules(loaded, { settings: DEFAULT_SETTINGS.ttsr, tools: BUILT_IN_TOOLS });
    expect(report.findings.filter((finding) => finding.rule === name)).toEqual([]);
  });
});
