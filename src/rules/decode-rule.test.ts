import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ruleFileOf } from "../testing/rules.ts";
import type { Rule } from "./rule.ts";
import { DEFAULT_SCOPE } from "./scope.ts";

function decode(...lines: readonly string[]) {
  const origin = { name: "r", file: "/project/r.md", displayPath: "r.md", source: ".agent/rules" };
  const { rule, problems } = ruleFileOf(["---", ...lines, "---", "Body."].join("\n"), origin);
  return {
    rule,
    problems: problems.map(({ code, position, message }) => `${code} ${position.line} ${message}`),
  };
}

function expectRule(
  lines: readonly string[],
  expected: Partial<Rule>,
  problems: readonly string[] = [],
): void {
  const decoded = decode(...lines);
  expect(decoded.rule).toMatchObject(expected);
  expect(decoded.problems).toEqual([...problems]);
}

describe("decodeRule()", () => {
  test("fills in what a rule does not say", () => {
    const { positions, ...rule } = decode("condition: foo").rule;
    expect(rule).toEqual({
      name: "r",
      file: "/project/r.md",
      displayPath: "r.md",
      source: ".agent/rules",
      bucket: "ttsr",
      conditions: ["foo"],
      scope: [{ kind: "text" }, { kind: "tool" }],
      globs: [],
      description: undefined,
      alwaysApply: false,
      interruptMode: undefined,
      contextMode: undefined,
      repeatMode: undefined,
      repeatGap: undefined,
      severity: "error",
      enabled: true,
      examples: { match: [], pass: [] },
      body: "Body.",
    });
    expect(positions.get("condition.0")).toEqual({ line: 2, column: 12 });
  });

  test("reads every key", () => {
    expectRule(
      [
        "condition: [a, b]",
        "scope: text, tool:write(src/*.{ts,tsx}), tool:bash",
        "globs: ['*.ts', '!*.test.ts']",
        "description: d",
        "alwaysApply: true",
        "interruptMode: prose-only",
        "contextMode: keep",
        "repeatMode: after-gap",
        "repeatGap: 0",
        "severity: warning",
        "enabled: false",
        "examples: {match: [a], pass: b}",
      ],
      {
        conditions: ["a", "b"],
        scope: [
          { kind: "text" },
          { kind: "tool", tool: "write", glob: "src/*.{ts,tsx}" },
          { kind: "tool", tool: "bash" },
        ],
        globs: ["*.ts", "!*.test.ts"],
        description: "d",
        alwaysApply: true,
        interruptMode: "prose-only",
        contextMode: "keep",
        repeatMode: "after-gap",
        repeatGap: 0,
        severity: "warning",
        enabled: false,
        examples: { match: ["a"], pass: ["b"] },
      },
    );
  });

  test("accepts other spellings, those of other tools too", () => {
    expectRule(["ttsrTrigger: a", "interrupt: false"], { conditions: ["a"], interruptMode: "never" });
    expectRule(["ttsr_trigger: a"], { conditions: ["a"] });
    expectRule(["applyTo: '**/*.ts,**/*.tsx'"], { globs: ["**/*.ts", "**/*.tsx"] });
    expectRule(["paths: ['src/**']"], { globs: ["src/**"] });
    expectRule(["trigger: always_on"], { alwaysApply: true, bucket: "always" });
  });

  test("takes keys that Cursor leaves empty for not given, without a word", () => {
    expectRule(["description:", "globs:", "alwaysApply: true"], { description: undefined, globs: [] });
    expectRule(["description: d", "globs: ", "alwaysApply:"], { description: "d", alwaysApply: false });
  });

  test("reads a misspelt scope as people mean it", () => {
    const { rule, problems } = decode('scope: "text","thinking"');
    expect(rule.scope).toEqual([{ kind: "text" }, { kind: "thinking" }]);
    expect(problems).toHaveLength(1);
  });

  test("drops what is no scope; a rule with none left can never match", () => {
    expectRule(["scope: texts, tool"], { scope: [{ kind: "tool" }] }, ['R013 2 "texts" is not a scope']);
    expectRule(["scope: texts"], { scope: [] }, ['R013 2 "texts" is not a scope']);
  });

  test.each([
    ["enabled: no", { enabled: false }, '"enabled: no" is a text in YAML; it was read as false'],
    ['enabled: "false"', { enabled: false }, '"enabled: false" is a text in YAML; it was read as false'],
    ["enabled: maybe", { enabled: true }, '"enabled" cannot be "maybe"; the default is used'],
    ["repeatGap: soon", { repeatGap: undefined }, '"repeatGap" cannot be "soon"; the default is used'],
    ["repeatGap: -1", { repeatGap: undefined }, '"repeatGap" cannot be -1; the default is used'],
    ["interrupt: prose", { interruptMode: undefined }, '"interrupt" cannot be "prose"; the default is used'],
    ["globs: []", { globs: [] }, '"globs" is empty and counts as not given'],
    ["scope:", { scope: DEFAULT_SCOPE }, '"scope" is empty and counts as not given'],
    ["condition: []", { conditions: [] }, '"condition" is empty and counts as not given'],
    ["condition: {a: b}", { conditions: [] }, '"condition" must be a text or a list of texts'],
    ["examples: a", { examples: { match: [], pass: [] } }, '"examples" must have the keys match and pass'],
    [
      'condition: "\\bany\\b"',
      { conditions: ["\\bany\\b"] },
      '"\\b" in double quotes is a backspace in YAML; it was read as a word boundary',
    ],
  ])("says what is wrong with %s", (line, expected, message) => {
    expectRule([line], expected, [`R013 2 ${message}`]);
  });

  test("leaves out the line break that a block ends with", () => {
    const message = "the condition ends with a line break, as a block of YAML does; it was left out";
    expectRule(["condition: |", "  foo$"], { conditions: ["foo$"] }, [`R013 2 ${message}`]);
    expectRule(["condition:", "  - >", "    a", "    b", "  - c"], { conditions: ["a b", "c"] }, [
      `R013 3 ${message}`,
    ]);
    expectRule(["condition: |-", "  foo"], { conditions: ["foo"] });
    expectRule(['condition: "\\n"'], { conditions: ["\n"] });
  });

  test("takes only texts for a scope", () => {
    expectRule(["scope: {text: true}"], { scope: [] }, ['R013 2 "scope" must be a text or a list of texts']);
  });

  test("names the nearest key for one that is misspelt", () => {
    const origin = { name: "r", file: "/r.md", displayPath: "r.md", source: "--rules" };
    const { problems } = ruleFileOf("---\ncondtion: a\nfrobnicate: 1\n---\n", origin);
    expect(problems.map(({ code, fix }) => `${code} ${fix.slice(0, 30)}`)).toEqual([
      'R008 did you mean "condition"?',
      "R008 remove it; the keys are condit",
    ]);
  });

  test.each([
    [["condition: a", "alwaysApply: true", "description: d"], "ttsr"],
    [["condition: '('", "alwaysApply: true", "description: d"], "always"],
    [["condition: ['(', a]"], "ttsr"],
    [["description: d"], "rulebook"],
    [["globs: '*.ts'"], "none"],
  ] as const)("puts a rule with %p into the bucket %s", (lines, bucket) => {
    expect(decode(...lines).rule.bucket).toBe(bucket);
  });

  test("takes any text for a rule, and points into it", () => {
    const piece = fc.constantFrom(
      ..."'\"#:-?,[]{}&*!|>%@`~\\ \t\n",
      ...[
        "---\n",
        "condition: ",
        "\nscope: ",
        "\nglobs:",
        "\nexamples:\n  match: ",
        "\n  - ",
        "*.ts",
        "(",
        "<<: ",
        "\ud800",
      ],
    );
    const anyText = fc.array(piece, { maxLength: 20 }).map((pieces) => `---\n${pieces.join("")}\n---\nBody.`);
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = text.split("\n").length;
        const { rule, problems } = ruleFileOf(text, {
          name: "r",
          file: "/r.md",
          displayPath: "r.md",
          source: "x",
        });
        const positions = [...rule.positions.values(), ...problems.map(({ position }) => position)];
        for (const { line, column } of positions) {
          expect(line).toBeWithin(1, lines + 1);
          expect(column).toBeGreaterThanOrEqual(1);
        }
        for (const value of [...rule.conditions, ...rule.globs]) expect(value).toBeString();
      }),
      { numRuns: 1_000 },
    );
  });
});
