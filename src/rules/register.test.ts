import { describe, expect, test } from "bun:test";
import { DEFAULT_SETTINGS } from "../settings/settings.ts";
import { ruleOf, ttsrRuleOf } from "../testing/rules.ts";
import { registerRules, renderSkip } from "./register.ts";
import type { Rule } from "./rule.ts";

const SETTINGS = DEFAULT_SETTINGS.ttsr;

function register(rules: readonly Rule[], settings = SETTINGS) {
  const { rules: registered, skips } = registerRules(rules, settings);
  return {
    registered: registered.map(({ name, conditions }) => [name, ...conditions]),
    skips: skips.map(renderSkip),
  };
}

describe("registerRules()", () => {
  test("registers what can act, in order", () => {
    expect(register([ruleOf("b", "condition: x"), ruleOf("a", "condition: [y, z]")])).toEqual({
      registered: [
        ["b", "x"],
        ["a", "y", "z"],
      ],
      skips: [],
    });
  });

  test("leaves rules without a condition alone: they act elsewhere", () => {
    expect(register([ruleOf("a", "description: d")])).toEqual({ registered: [], skips: [] });
  });

  test("drops one bad condition, keeps the others, and says where it stands", () => {
    const rule = ruleOf("a", "condition:\n  - x\n  - '(y'\n  - z");
    const { registered, skips } = register([rule]);
    expect(registered).toEqual([["a", "x", "z"]]);
    expect(skips).toEqual([
      expect.stringMatching(
        /^\.agent\/rules\/a\.md:4: rule "a": condition "\(y" does not compile at offset \d+: .+; mend/,
      ),
    ]);
  });

  test("skips a rule whose conditions all fail", () => {
    const { registered, skips } = register([ruleOf("a", "condition: ['(y', '[']")]);
    expect(registered).toEqual([]);
    expect(skips).toHaveLength(2);
  });

  test("says to use scope for a condition that is a file glob", () => {
    const { skips } = register([ruleOf("a", "condition: '*.ts'")]);
    expect(skips).toEqual([
      expect.stringContaining(
        'it looks like a file glob; write scope: tool:write(*.ts) or globs: "*.ts" instead',
      ),
    ]);
  });

  test("drops a condition that matches the empty string", () => {
    const { registered, skips } = register([ruleOf("a", "condition: 'x*'")]);
    expect(registered).toEqual([]);
    expect(skips).toEqual([expect.stringContaining('condition "x*" matches the empty string')]);
  });

  test("skips a scope that can never match, and globs without a tool in scope", () => {
    expect(
      register([
        ruleOf("a", "condition: x\nscope: texts"),
        ruleOf("b", "condition: x\nscope: text\nglobs: '*.ts'"),
      ]),
    ).toEqual({
      registered: [],
      skips: [
        '.agent/rules/a.md:3: rule "a": its scope can never match; write text, thinking, tool, tool:NAME or tool:NAME(GLOB)',
        '.agent/rules/b.md:4: rule "b": it can never fire: globs apply to tool calls, and its scope has none; add tool to scope, or remove globs',
      ],
    });
  });

  test("skips a name that is registered already", () => {
    expect(register([ruleOf("a", "condition: x"), ruleOf("a", "condition: y")])).toEqual({
      registered: [["a", "x"]],
      skips: [
        '.agent/rules/a.md:2: rule "a": another rule of this name is registered already; rename one of them',
      ],
    });
  });

  test("registers nothing that is turned off", () => {
    const rules = [ruleOf("a", "condition: x\nenabled: false"), ruleOf("b", "condition: x")];
    expect(register(rules, { ...SETTINGS, disabledRules: ["b"] })).toEqual({ registered: [], skips: [] });
    expect(register(rules, { ...SETTINGS, enabled: false })).toEqual({ registered: [], skips: [] });
  });

  test("fills in what a rule leaves to the settings", () => {
    const settings = { ...SETTINGS, contextMode: "keep", repeatMode: "after-gap", repeatGap: 4 } as const;
    const rules = [
      ruleOf("a", "condition: x"),
      ruleOf("b", "condition: x\ncontextMode: discard\nrepeatMode: once\nrepeatGap: 1\ninterrupt: never"),
    ];
    const modes = registerRules(rules, settings).rules.map(
      ({ interruptMode, contextMode, repeatMode, repeatGap }) => [
        interruptMode,
        contextMode,
        repeatMode,
        repeatGap,
      ],
    );
    expect(modes).toEqual([
      ["always", "keep", "after-gap", 4],
      ["never", "discard", "once", 1],
    ]);
  });
});

describe("TtsrRule.callTest()", () => {
  const applies = (frontMatter: string, tool: string, path: string): boolean | undefined => {
    const test = ttsrRuleOf("r", `condition: x\n${frontMatter}`).callTest(tool);
    return test === undefined ? undefined : test.kind === "always" || test.test(path);
  };

  test.each([
    ["", "bash", "a.md", true],
    ["scope: text", "bash", "a.md", undefined],
    ["scope: tool:write", "edit", "a.ts", undefined],
    ["scope: tool:write", "Write", "a.ts", true],
    ["scope: tool:write(*.ts)", "write", "src/a.ts", true],
    ["scope: tool:write(*.ts)", "write", "a.md", false],
    ["scope: tool(*.ts)", "edit", "a.ts", true],
    ["scope: tool:write(src/**, test/*.{ts,tsx})", "write", "test/a.tsx", true],
    ["scope: tool:write(src/**, test/*.{ts,tsx})", "write", "lib/a.tsx", false],
    ["scope: 'tool:write(*.ts), tool:edit(*.md)'", "edit", "a.ts", false],
    ["globs: 'src/**/*.ts'", "write", "src/a.ts", true],
    ["globs: 'src/**/*.ts'", "write", "lib/a.ts", false],
    ["globs: ['*.ts', '!*.test.ts']", "write", "src/a.test.ts", false],
    ["scope: tool:write(src/**)\nglobs: '*.ts'", "write", "src/a.md", false],
    ["globs: '.github/**'", "write", ".github/ci.yml", true],
    ["globs: 'src/'", "write", "src/deep/a.ts", true],
  ])("with %p for %s of %s is %p", (frontMatter, tool, path, expected) => {
    expect(applies(frontMatter, tool, path)).toBe(expected);
  });
});
