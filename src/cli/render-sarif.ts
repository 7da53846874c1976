// Findings as SARIF 2.1.0, for code scanning. Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html

import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { jsonText } from "../base/well-formed.ts";
import type { CheckReport, Finding } from "../rules/check.ts";
import { FINDINGS } from "../rules/finding.ts";
import { pathFrom } from "./rule-flags.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";
const CODES = Object.keys(FINDINGS);

/** One run with all findings. Files below `root`, the repository's root, are given relative to it, others as URLs. */
export function renderSarif({ findings }: CheckReport, root: string): string {
  const log = {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "agent rules check",
            rules: Object.entries(FINDINGS).map(([id, { name, title, severity }]) => ({
              id,
              name,
              shortDescription: { text: title },
              defaultConfiguration: { level: severity },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { SRCROOT: { uri: `${pathToFileURL(root).href.replace(/\/$/, "")}/` } },
        results: findings.map((finding) => resultOf(finding, root)),
      },
    ],
  };
  return `${jsonText(log, 2)}\n`;
}

function resultOf({ code, severity, file, position, message, fix }: Finding, root: string) {
  return {
    ruleId: code,
    ruleIndex: CODES.indexOf(code),
    level: severity,
    message: { text: `${message}. Fix: ${fix}.` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: artifactOf(pathFrom(root, file)),
          region: { startLine: position.line, startColumn: position.column },
        },
      },
    ],
  };
}

function artifactOf(path: string): { readonly uri: string; readonly uriBaseId?: string } {
  if (isAbsolute(path)) return { uri: pathToFileURL(path).href };
  return { uri: path.split("/").map(encodeURIComponent).join("/"), uriBaseId: "SRCROOT" };
}
