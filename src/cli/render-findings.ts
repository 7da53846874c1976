// Findings of `rules check` for people, for programs, and for GitHub's annotations. SARIF is in render-sarif.ts.

import { escapedControls, plural } from "../base/text.ts";
import { jsonText } from "../base/well-formed.ts";
import type { CheckReport, Finding } from "../rules/check.ts";
import { pathFrom } from "./rule-flags.ts";

/** Two lines a finding: where and what, then the way out. */
export function renderFindingsText({ findings }: CheckReport, cwd: string): string {
  return findings
    .map(({ code, severity, file, position, message, fix }) => {
      const place = `${pathFrom(cwd, file)}:${position.line}:${position.column}`;
      const found = escapedControls(`${place}: ${severity} ${code}: ${message}`);
      return `${found}\n    fix: ${escapedControls(fix)}\n`;
    })
    .join("");
}

/** `3 rules checked: 1 error, 2 warnings`. */
export function renderCheckSummary({ checked, findings }: CheckReport): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const rules = `${plural(checked, "rule")} checked`;
  if (findings.length === 0) return `${rules}: nothing found`;
  return `${rules}: ${plural(errors, "error")}, ${plural(findings.length - errors, "warning")}`;
}

/** The document of `--output json`. `ok` is what the exit code says. */
export function renderFindingsJson({ checked, findings }: CheckReport, cwd: string, ok: boolean): string {
  const list = findings.map(({ code, severity, rule, file, position, message, fix }) => ({
    code,
    severity,
    rule,
    file: pathFrom(cwd, file),
    line: position.line,
    column: position.column,
    message,
    fix,
  }));
  return `${jsonText({ ok, checked, findings: list })}\n`;
}

/**
 * Workflow commands of GitHub Actions, one a finding; it shows them at their lines. `root` is the repository's root,
 * which paths are relative to. Format: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function renderFindingsGithub({ findings }: CheckReport, root: string): string {
  return findings
    .map((finding) => {
      const { code, severity, file, position, message, fix } = finding;
      const properties = [
        `file=${escapeProperty(pathFrom(root, file))}`,
        `line=${position.line}`,
        `col=${position.column}`,
        `title=${escapeProperty(titleOf(finding, code))}`,
      ];
      return `::${severity} ${properties.join(",")}::${escapeData(`${message}\nfix: ${fix}`)}\n`;
    })
    .join("");
}

function titleOf({ rule }: Finding, code: string): string {
  return `${code} in rule ${rule}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
