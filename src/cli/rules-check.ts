// `agent rules check`: lints rules and says, for each finding, where it is and the way out.

import { resolve } from "node:path";
import { AppError } from "../base/errors.ts";
import { type CheckReport, checkRules } from "../rules/check.ts";
import { type LoadedRules, loadPlaces } from "../rules/load.ts";
import { projectRoot } from "../rules/places.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT_FINDINGS, EXIT_OK } from "./exit.ts";
import { outputFlag } from "./global-flags.ts";
import {
  renderCheckSummary,
  renderFindingsGithub,
  renderFindingsJson,
  renderFindingsText,
} from "./render-findings.ts";
import { loadRulesOf, placesRequest, RULE_FLAGS, ttsrSettingsOf } from "./rule-flags.ts";
import { toolNames } from "./tool-names.ts";

export const rulesCheckCommand: Command = {
  flags: [
    outputFlag(["text", "json", "sarif", "github"]),
    { name: "strict", value: { kind: "switch" }, default: "off", help: "exit 3 on warnings too" },
    ...RULE_FLAGS,
  ],
  examples: [
    { line: "agent rules check", does: "check every rule that a run would find here" },
    { line: "agent rules check --strict .agent/rules", does: "check these files only, and be strict" },
    { line: "agent rules check --output sarif > rules.sarif", does: "a file for code scanning" },
  ],
  exitCodes: [3, 66],
  notes: "Without paths: every rule that would be in force here. With paths: these files and folders only.",
  async run(context) {
    const { io, flags } = context;
    const loaded = await loadChecked(context);
    for (const link of loaded.ignored) io.warning(link);
    const report = checkRules(loaded, {
      settings: await ttsrSettingsOf(context),
      tools: await toolNames(context),
    });
    const ok = !report.findings.some(({ severity }) => severity === "error" || flags.has("strict"));
    await io.stdout.write(await render(context, report, ok));
    const summary = renderCheckSummary(report);
    if (report.checked === 0) io.notice("no rules found; agent rules init writes two to begin with");
    else if (ok) io.notice(summary);
    else io.error(summary);
    return ok ? EXIT_OK : EXIT_FINDINGS;
  },
};

async function loadChecked(context: CommandContext): Promise<LoadedRules> {
  const { args, flags, cwd } = context;
  if (args.length === 0) return await loadRulesOf(context);
  if (args.includes("")) throw new AppError("usage", "a path to check is empty");
  if (flags.has("no-rules") || flags.has("rules")) {
    throw new AppError("usage", "paths are checked alone: without --rules or --no-rules");
  }
  const places = args.map((path) => ({
    source: path,
    path: resolve(cwd, path),
    required: true,
    endings: [".md", ".mdc"],
  }));
  return await loadPlaces(places, await placesRequest(context));
}

async function render({ flags, cwd }: CommandContext, report: CheckReport, ok: boolean): Promise<string> {
  switch (flags.text("output")) {
    case "json":
      return renderFindingsJson(report, cwd, ok);
    case "sarif": {
      const { renderSarif } = await import("./render-sarif.ts");
      return renderSarif(report, projectRoot(cwd));
    }
    case "github":
      return renderFindingsGithub(report, projectRoot(cwd));
    default:
      return renderFindingsText(report, cwd);
  }
}
