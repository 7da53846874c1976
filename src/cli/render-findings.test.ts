import { describe, expect, test } from "bun:test";
import schema from "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json" with { type: "json" };
import { Ajv } from "ajv";
import type { CheckReport, Finding } from "../rules/check.ts";
import { FINDINGS, type FindingCode } from "../rules/finding.ts";
import {
  renderCheckSummary,
  renderFindingsGithub,
  renderFindingsJson,
  renderFindingsText,
} from "./render-findings.ts";
import { renderSarif } from "./render-sarif.ts";

function finding(code: FindingCode, file: string, more: Partial<Finding> = {}): Finding {
  return {
    code,
    severity: FINDINGS[code].severity,
    rule: "no-any",
    file,
    position: { line: 3, column: 8 },
    message: 'condition "(a" does not compile',
    fix: "mend it",
    ...more,
  };
}

const REPORT: CheckReport = {
  checked: 3,
  findings: [
    finding("R001", "/repo/sub/.agent/rules/no any.md"),
    finding("R011", "/elsewhere/50%.md", { rule: "a:b,c", message: "long\nvery" }),
  ],
};

describe("renderFindingsText()", () => {
  test("gives two lines a finding, with a path to go to", () => {
    expect(renderFindingsText(REPORT, "/repo/sub")).toBe(
      [
        '.agent/rules/no any.md:3:8: error R001: condition "(a" does not compile',
        "    fix: mend it",
        "/elsewhere/50%.md:3:8: warning R011: long\\nvery",
        "    fix: mend it",
        "",
      ].join("\n"),
    );
  });
});

describe("renderCheckSummary()", () => {
  test("counts", () => {
    expect(renderCheckSummary(REPORT)).toBe("3 rules checked: 1 error, 1 warning");
    expect(renderCheckSummary({ checked: 1, findings: [] })).toBe("1 rule checked: nothing found");
  });
});

describe("renderFindingsJson()", () => {
  test("gives one document", () => {
    const document: unknown = JSON.parse(
      renderFindingsJson({ ...REPORT, findings: REPORT.findings.slice(0, 1) }, "/repo", false),
    );
    expect(document).toEqual({
      ok: false,
      checked: 3,
      findings: [
        {
          code: "R001",
          severity: "error",
          rule: "no-any",
          file: "sub/.agent/rules/no any.md",
          line: 3,
          column: 8,
          message: 'condition "(a" does not compile',
          fix: "mend it",
        },
      ],
    });
  });
});

describe("renderFindingsGithub()", () => {
  test("gives one command a finding, with everything escaped that has a meaning", () => {
    expect(renderFindingsGithub(REPORT, "/repo")).toBe(
      [
        '::error file=sub/.agent/rules/no any.md,line=3,col=8,title=R001 in rule no-any::condition "(a" does not compile%0Afix: mend it',
        "::warning file=/elsewhere/50%25.md,line=3,col=8,title=R011 in rule a%3Ab%2Cc::long%0Avery%0Afix: mend it",
        "",
      ].join("\n"),
    );
  });
});

describe("renderSarif()", () => {
  test("validates against the schema of SARIF 2.1.0", () => {
    // Draft 4 by name, but nothing in it means another thing in the drafts that ajv knows.
    const { $schema: _draft, id: _id, ...schemaOfLogs } = schema;
    const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
      schemaOfLogs,
    );
    const everyCode = Object.keys(FINDINGS) as FindingCode[];
    const all = { checked: 1, findings: everyCode.map((code) => finding(code, "/repo/a.md")) };
    for (const report of [REPORT, all, { checked: 0, findings: [] }]) {
      validate(JSON.parse(renderSarif(report, "/repo")));
      expect(validate.errors ?? []).toEqual([]);
    }
    validate({ version: "2.1.0", runs: [{}] });
    expect(validate.errors).not.toEqual([]);
  });

  test("names files below the root relative to it, others by URL, and each result's rule by its index", () => {
    const log = JSON.parse(renderSarif(REPORT, "/repo"));
    const [run] = log.runs;
    expect(run.originalUriBaseIds).toEqual({ SRCROOT: { uri: "file:///repo/" } });
    expect(
      run.results.map((result: { ruleId: string; ruleIndex: number; level: string; locations: unknown }) => ({
        id: run.tool.driver.rules[result.ruleIndex].id,
        level: result.level,
        locations: result.locations,
      })),
    ).toEqual([
      {
        id: "R001",
        level: "error",
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "sub/.agent/rules/no%20any.md", uriBaseId: "SRCROOT" },
              region: { startLine: 3, startColumn: 8 },
            },
          },
        ],
      },
      {
        id: "R011",
        level: "warning",
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "file:///elsewhere/50%25.md" },
              region: { startLine: 3, startColumn: 8 },
            },
          },
        ],
      },
    ]);
  });
});
