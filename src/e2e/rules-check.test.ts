// `agent rules check`, `list` and `init` through the binary: exit codes, streams, paths.

import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { rulesPlace, ruleText } from "../testing/rules-command.ts";
import { tempDir } from "../testing/temp.ts";

const GOOD = ruleText("condition: foo");
const BROKEN = ruleText("condition: '(foo'");
const DOUBTFUL = ruleText("condition: foo\ncolour: red");

describe("rules check", () => {
  test("is silent on stdout and exits 0 when nothing is wrong", async () => {
    using place = rulesPlace({ good: GOOD });
    expect(await place.rules(["check"])).toEqual({
      code: 0,
      signal: null,
      stdout: "",
      stderr: "agent: 1 rule checked: nothing found\n",
    });
  });

  test("exits 3 for an error, and the reason survives --quiet", async () => {
    using place = rulesPlace({ bad: BROKEN, good: GOOD });
    expect(await place.rules(["check", "--quiet"])).toEqual({
      code: 3,
      signal: null,
      stdout: expect.stringMatching(/^\.agent\/rules\/bad\.md:2:12: error R001: .+\n {4}fix: .+\n$/),
      stderr: "agent: 2 rules checked: 1 error, 0 warnings\n",
    });
  });

  test("exits 0 for a warning, and 3 with --strict, in every output", async () => {
    using place = rulesPlace({ odd: DOUBTFUL });
    for (const output of ["text", "json", "sarif", "github"]) {
      expect((await place.rules(["check", "--output", output])).code).toBe(0);
      expect((await place.rules(["check", "--output", output, "--strict"])).code).toBe(3);
    }
  });

  test("prints one JSON document", async () => {
    using place = rulesPlace({ odd: DOUBTFUL });
    const { stdout } = await place.rules(["check", "--output", "json"]);
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      checked: 1,
      findings: [
        {
          code: "R008",
          severity: "warning",
          rule: "odd",
          file: ".agent/rules/odd.md",
          line: 3,
          column: 1,
          message: 'the key "colour" is not known and does nothing',
          fix: expect.stringContaining("remove it; the keys are condition, scope"),
        },
      ],
    });
  });

  test("checks only the files and folders that are named", async () => {
    using place = rulesPlace({ bad: BROKEN });
    place.dir.write("drafts/good.md", GOOD);
    place.dir.write("one.md", DOUBTFUL);
    const { code, stderr } = await place.rules(["check", "drafts", "one.md"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "agent: 2 rules checked: 0 errors, 1 warning\n" });
  });

  test("exits 66 for a path or a --rules directory that is not there", async () => {
    using place = rulesPlace();
    for (const args of [
      ["check", "nowhere"],
      ["check", "--rules", "nowhere"],
    ]) {
      const { code, stdout, stderr } = await place.rules(args);
      expect({ code, stdout }).toEqual({ code: 66, stdout: "" });
      expect(stderr).toContain("nowhere");
    }
  });

  test.each([
    [["check", ""], "a path to check is empty"],
    [["check", "--no-rules", "drafts"], "paths are checked alone: without --rules or --no-rules"],
    [["check", "--rules", "drafts", "drafts"], "paths are checked alone: without --rules or --no-rules"],
  ])("refuses %j", async (args, message) => {
    using place = rulesPlace({ bad: BROKEN });
    place.dir.write("drafts/bad.md", BROKEN);
    const { code, stdout, stderr } = await place.rules(args);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: `agent: ${message}\n` });
  });

  test("says which links it did not follow", async () => {
    using place = rulesPlace({ good: GOOD });
    using elsewhere = tempDir();
    elsewhere.write("far.md", BROKEN);
    symlinkSync(join(elsewhere.path, "far.md"), join(place.dir.path, ".agent/rules/far.md"));
    const { code, stderr } = await place.rules(["check"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^agent: warning: .*far\.md ignored: it is a symbolic link out of/),
    });
  });

  test("says that there are no rules", async () => {
    using place = rulesPlace();
    const { code, stderr } = await place.rules(["check"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("no rules found") });
  });

  test("gives GitHub paths from the repository's root", async () => {
    using place = rulesPlace();
    mkdirSync(join(place.dir.path, ".git"));
    place.dir.write("sub/.agent/rules/bad.md", BROKEN);
    const { stdout } = await place.rules(["check", "--cwd", "sub", "--output", "github"]);
    expect(stdout).toStartWith("::error file=sub/.agent/rules/bad.md,line=2,col=12,title=R001 in rule bad::");
  });
});

describe("rules list", () => {
  test("says of each rule why it acts or does not", async () => {
    using place = rulesPlace({
      bad: BROKEN,
      good: ruleText("condition: foo\nglobs: '*.ts'"),
      off: ruleText("condition: foo\nenabled: false"),
      read: ruleText("description: How we name things"),
      settled: ruleText("condition: foo"),
      stands: ruleText("alwaysApply: true"),
    });
    place.dir.write(".cursor/rules/good.mdc", GOOD);
    place.dir.write(".agent/config.jsonc", '{"ttsr": {"disabledRules": ["settled"]}}');
    const { stdout } = await place.rules(["list", "--output", "json"]);
    const { rules } = JSON.parse(stdout);
    const told = rules.map((rule: Record<string, unknown>) => [
      rule["name"],
      rule["bucket"],
      rule["shadowedBy"] ?? rule["skipped"],
    ]);
    expect(told).toEqual([
      ["bad", "none", expect.stringContaining('condition "(foo" does not compile at offset')],
      ["good", "ttsr", undefined],
      ["off", "ttsr", "its file says enabled: false"],
      ["read", "rulebook", undefined],
      ["settled", "ttsr", "ttsr.disabledRules names it"],
      ["stands", "always", undefined],
      ["good", "ttsr", ".agent/rules/good.md"],
    ]);
    expect(rules[1]).toEqual({
      name: "good",
      file: ".agent/rules/good.md",
      source: ".agent/rules",
      bucket: "ttsr",
      conditions: ["foo"],
      scope: ["text", "tool"],
      globs: ["*.ts"],
      interruptMode: "always",
      contextMode: "discard",
      repeatMode: "once",
      repeatGap: 10,
      severity: "error",
    });
  });

  test("says that nothing watches when the settings turn matching off", async () => {
    using place = rulesPlace({ good: GOOD });
    place.dir.write(".agent/config.jsonc", '{"ttsr": {"enabled": false}}');
    const { stdout } = await place.rules(["list"]);
    expect(stdout).toContain("does not act: ttsr.enabled is false");
  });

  test("warns of what it could not read or take as it stands, as a run does", async () => {
    using place = rulesPlace({ odd: DOUBTFUL });
    place.dir.write(".agent/rules/bad.md", new Uint8Array([0xff]));
    const { code, stderr } = await place.rules(["list"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^agent: warning: .agent\/rules\/odd.md:3: the key "colour".*\nagent: warning: .agent\/rules\/bad.md:1: the file is not UTF-8.*\n$/,
      ),
    });
  });

  test("shows a condition of several lines on one", async () => {
    using place = rulesPlace({ lines: ruleText("condition: |-\n  a\n  b") });
    expect((await place.rules(["list"])).stdout).toContain("\n  matches a\\nb\n");
  });

  test("is empty with --no-rules", async () => {
    using place = rulesPlace({ good: GOOD });
    expect(JSON.parse((await place.rules(["list", "--no-rules", "--output", "json"])).stdout)).toEqual({
      rules: [],
    });
  });
});

describe("rules init", () => {
  test("writes two rules that have nothing wrong, and leaves them alone the next time", async () => {
    using place = rulesPlace();
    const first = await place.rules(["init"]);
    expect(first).toMatchObject({
      code: 0,
      stdout: ".agent/rules/no-any.md\n.agent/rules/no-force-push.md\n",
    });
    const directory = join(place.dir.path, ".agent/rules");
    expect(readdirSync(directory).sort()).toEqual(["no-any.md", "no-force-push.md"]);
    expect((await place.rules(["check", "--strict"])).code).toBe(0);
    place.dir.write(".agent/rules/no-any.md", "mine");
    expect(await place.rules(["init"])).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(join(directory, "no-any.md"), "utf8")).toBe("mine");
  });
});
