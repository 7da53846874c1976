import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { DEFAULT_SETTINGS } from "../settings/settings.ts";
import { type TempDir, tempDir } from "../testing/temp.ts";
import { BUILT_IN_TOOLS } from "../tools/names.ts";
import { type CheckReport, checkRules } from "./check.ts";
import { FINDINGS } from "./finding.ts";
import { loadRules } from "./load.ts";

async function check(dir: TempDir): Promise<CheckReport> {
  const request = { cwd: dir.path, home: "", env: {}, rulesDirs: [] };
  return checkRules(await loadRules(request), {
    settings: DEFAULT_SETTINGS.ttsr,
    tools: [...BUILT_IN_TOOLS, "deploy"],
  });
}

/** The findings on one rule of this text, as `code severity line:column`. */
async function findings(text: string): Promise<readonly string[]> {
  using dir = tempDir();
  dir.write(".agent/rules/r.md", text);
  return (await check(dir)).findings.map(
    ({ code, severity, position }) => `${code} ${severity} ${position.line}:${position.column}`,
  );
}

const rule = (frontMatter: string, body = "Body.") => `---\n${frontMatter}\n---\n${body}\n`;

describe("checkRules()", () => {
  test.each([
    ["a rule with nothing wrong", rule("condition: foo"), []],
    ["a condition that does not compile", rule("condition:\n  - ok\n  - '(a'"), ["R001 error 4:5"]],
    ["a file glob as condition", rule("condition: '*.ts'"), ["R001 error 2:12"]],
    ["a condition that matches before any text", rule("condition: a*"), ["R002 error 2:12"]],
    ["a scope that is none", rule("condition: a\nscope: txt"), ["R013 warning 3:8", "R003 error 3:8"]],
    ["globs without a tool", rule("condition: a\nscope: text\nglobs: a.ts"), ["R003 error 4:8"]],
    ["a path for bash", rule("condition: a\nscope: tool:bash(*.sh)"), ["R003 error 3:8"]],
    ["globs for bash", rule("condition: a\nscope: text, tool:Bash\nglobs: a.sh"), ["R003 error 3:8"]],
    ["a tool that there is not", rule("condition: a\nscope: tool:wirte(src/**)"), ["R016 warning 3:8"]],
    [
      "tools that there are, in any case, and one that there is not",
      rule("condition: a\nscope:\n  - text, tool:Write\n  - tool:deploy, tool:bsah"),
      ["R016 warning 5:5"],
    ],
    ["globs for bash and others", rule("condition: a\nscope: tool:bash, tool:edit\nglobs: a.sh"), []],
    ["a backreference", rule("condition: (foo)\\1"), ["R004 warning 2:12"]],
    ["a reminder that fires", rule("condition: foo", "No foo."), ["R005 warning 4:1"]],
    ["a reminder that no tool call quotes", rule("condition: foo\nscope: tool", "No foo."), []],
    ["a rule without a trigger", rule("globs: '*.ts'"), ["R007 warning 1:1"]],
    ["no front matter", "Body.\n", ["R007 warning 1:1"]],
    ["an unknown key", rule("condition: foo\ncolour: red"), ["R008 warning 3:1"]],
    [
      "examples that fail",
      rule("condition: foo;\nexamples: {match: [foo;, bar], pass: [food, a foo;]}"),
      ["R009 error 3:26", "R009 error 3:45"],
    ],
    [
      "examples that fail, each on its line",
      rule(
        "condition: foo;\nexamples:\n  match:\n    - foo;\n    - 'bar'\n  pass:\n    - food\n    - a foo;",
      ),
      ["R009 error 6:7", "R009 error 9:7"],
    ],
    [
      "examples that fail, among items that are no texts",
      rule("condition: foo;\nexamples: {match: [null, {a: b}, bar], pass: a foo;}"),
      ["R013 warning 3:11", "R013 warning 3:11", "R009 error 3:34", "R009 error 3:46"],
    ],
    [
      "an example that fails in a front matter that is not YAML",
      rule("condition: foo;\nexamples:\n  match:\n    - `x`: y\n    - foo;\n  pass: [a foo;]"),
      ["R012 warning 3:1", "R009 error 5:7", "R009 error 7:10"],
    ],
    [
      "an example on which the native engine gives up and says no",
      rule(`condition: '(?:a+)+b|a!'\nexamples: {match: ['${"a".repeat(26)}!']}`),
      [],
    ],
    [
      "an example that the native engine would take minutes for",
      rule(`condition: '${"a?".repeat(30)}aaaab|a!'\nexamples: {match: ['${"a".repeat(60)}!']}`),
      [],
    ],
    ["no body", rule("condition: foo", ""), ["R010 error 4:1"]],
    ["a long body", rule("condition: foo", "x".repeat(2_001)), ["R011 warning 4:1"]],
    ["front matter that is not YAML", rule("condition: foo\nglobs: **/*.ts"), ["R012 warning 3:1"]],
    ["a value that cannot be", rule("condition: foo\nseverity: fatal"), ["R013 warning 3:11"]],
    ["a rule for the system prompt", rule("alwaysApply: true"), []],
    ["a rule that is turned off", rule("condition: foo\nenabled: false"), []],
  ])("on %s", async (_, text, expected) => {
    expect(await findings(text)).toEqual(expected);
  });

  test("reports a shadowed rule, and a file that cannot be read", async () => {
    using dir = tempDir();
    dir.write(".agent/rules/a.md", rule("condition: foo"));
    dir.write(".cursor/rules/a.mdc", rule("condition: foo"));
    dir.write(".agent/rules/b.md", new Uint8Array([0xff]));
    const report = await check(dir);
    expect(report.checked).toBe(3);
    expect(
      report.findings.map(({ code, rule: name, file, message }) => ({ code, name, file, message })),
    ).toEqual([
      {
        code: "R006",
        name: "a",
        file: join(dir.path, ".cursor/rules/a.mdc"),
        message: "the rule is not in force: .agent/rules/a.md has the same name and comes first",
      },
      {
        code: "R014",
        name: "b",
        file: join(dir.path, ".agent/rules/b.md"),
        message: "the file is not UTF-8 and was not read",
      },
    ]);
  });

  test("says what is wrong in one line, and the way out in another", async () => {
    using dir = tempDir();
    dir.write(".agent/rules/r.md", rule("condition: '*.ts'\ncondtion: x"));
    const words = (await check(dir)).findings.map(({ message, fix }) => [message, fix]);
    expect(words).toEqual([
      [
        expect.stringMatching(/^condition "\*\.ts" does not compile at offset \d+: .+/),
        'it looks like a file glob; write scope: tool:write(*.ts) or globs: "*.ts" instead',
      ],
      ['the key "condtion" is not known and does nothing', 'did you mean "condition"?'],
    ]);
    dir.write(".agent/rules/r.md", rule("condition: 'a\\Z'\nscope: tool:wirte(src/**), tool:kubernetes"));
    expect((await check(dir)).findings.map(({ message, fix }) => [message, fix])).toEqual([
      ['condition "a\\\\Z" has \\Z, which is read as the letter Z', "write $"],
      ['no tool is called "wirte", so nothing is watched by tool:wirte(src/**)', 'did you mean "write"?'],
      [
        'no tool is called "kubernetes", so nothing is watched by tool:kubernetes',
        "the tools here are read, ls, find, grep, write, edit, bash, deploy; others are set in the settings (tools)",
      ],
    ]);
  });
});

describe("FINDINGS", () => {
  test("have codes and names that are their own", () => {
    const names = Object.values(FINDINGS).map(({ name }) => name as string);
    expect(names).toEqual([...new Set(names)]);
    expect(Object.keys(FINDINGS).every((code) => /^R\d{3}$/.test(code))).toBe(true);
  });
});
