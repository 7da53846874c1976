// `agent rules list`: the rules in force, where each came from, what it watches, and why one does not act.

import { escapedControls, plural } from "../base/text.ts";
import { jsonText } from "../base/well-formed.ts";
import { listRules, type RuleListing } from "../rules/list.ts";
import type { Command } from "./command.ts";
import { EXIT_OK } from "./exit.ts";
import { outputFlag } from "./global-flags.ts";
import { loadRulesOf, pathFrom, RULE_FLAGS, ttsrSettingsOf } from "./rule-flags.ts";

export const rulesListCommand: Command = {
  flags: [outputFlag(["text", "json"]), ...RULE_FLAGS],
  examples: [
    { line: "agent rules list", does: "every rule that a run would find here" },
    {
      line: "agent rules list --output json | jq -r '.rules[] | select(.skipped) | .name'",
      does: "rules that do not act",
    },
  ],
  exitCodes: [66],
  async run(context) {
    const { io, flags, cwd } = context;
    const loaded = await loadRulesOf(context);
    for (const warning of loaded.warnings) io.warning(warning);
    const listings = listRules(loaded, await ttsrSettingsOf(context)).map((listing) =>
      withShortPaths(listing, cwd),
    );
    if (flags.text("output") === "json") {
      await io.stdout.write(`${jsonText({ rules: listings })}\n`);
      return EXIT_OK;
    }
    const text = listings.map(renderListing).join("\n");
    await io.stdout.write(text);
    if (listings.length === 0) io.notice("no rules found; agent rules init writes two to begin with");
    return EXIT_OK;
  },
};

function withShortPaths(listing: RuleListing, cwd: string): RuleListing {
  const { file, shadowedBy } = listing;
  const short = { ...listing, file: pathFrom(cwd, file) };
  return shadowedBy === undefined ? short : { ...short, shadowedBy: pathFrom(cwd, shadowedBy) };
}

/** One rule in a few lines: what it does, then how. */
function renderListing(listing: RuleListing): string {
  const { name, file, source, bucket, conditions, shadowedBy, skipped, dropped = [] } = listing;
  const head = `${name}  ${file} (${source})`;
  const lines = [head, `  ${statusOf(listing)}`];
  if (shadowedBy === undefined && skipped === undefined && bucket === "ttsr") {
    lines.push(...conditions.map((condition) => `  matches ${condition}`), `  ${modesOf(listing)}`);
  }
  lines.push(...dropped.map((reason) => `  left out: ${reason}`));
  return `${lines.map(escapedControls).join("\n")}\n`;
}

function statusOf({ bucket, scope, globs, shadowedBy, skipped }: RuleListing): string {
  if (shadowedBy !== undefined) return `not in force: ${shadowedBy} has the same name and comes first`;
  if (skipped !== undefined) return `does not act: ${skipped}`;
  switch (bucket) {
    case "ttsr":
      return `watches ${scope.join(", ")}${globs.length === 0 ? "" : ` for ${globs.join(", ")}`}`;
    case "always":
      return "stands in the system prompt";
    case "rulebook":
      return "is listed in the system prompt; the model reads it when it needs it";
    case "none":
      return "does nothing";
  }
}

function modesOf({ interruptMode, contextMode, repeatMode, repeatGap, severity }: RuleListing): string {
  const repeat = repeatMode === "once" ? "once a session" : `again after ${plural(repeatGap, "turn")}`;
  const text = contextMode === "discard" ? "the text is discarded" : "the text is kept";
  return `${severity}; interrupts: ${interruptMode}; ${text}; ${repeat}`;
}
