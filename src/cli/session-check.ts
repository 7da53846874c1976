// `agent session check`: a session file verified line by line. What is found goes to stdout, one finding after another.

import { plural, visibleControls } from "../base/text.ts";
import { jsonText } from "../base/well-formed.ts";
import { checkSession, type SessionCheck } from "../session/check.ts";
import { oneSession } from "./args.ts";
import type { Command } from "./command.ts";
import { EXIT_FINDINGS, EXIT_OK } from "./exit.ts";
import { FROM_FLAG } from "./from-flag.ts";
import { outputFlag } from "./global-flags.ts";
import { renderConversion } from "./render-conversion.ts";
import { locateSession, sessionChunks } from "./session-arg.ts";

export const sessionCheckCommand: Command = {
  flags: [outputFlag(["text", "json"]), FROM_FLAG],
  examples: [
    { line: "agent session check latest", does: "the newest session of this directory" },
    {
      line: "agent session check --output json s.jsonl | jq -r '.problems[] | \"\\(.line) \\(.code)\"'",
      does: "line and code of every problem",
    },
  ],
  exitCodes: [3, 65, 66],
  notes:
    "Problems of severity error are damage: something was lost, or is not what it was. Warnings are oddities that every\ncommand copes with. The file is never changed, and may be of any length.",
  async run(context) {
    const { io, flags } = context;
    const text = oneSession(context);
    const place = locateSession(context, text);
    const check = await checkSession(sessionChunks(context, place), text);
    const name = place.kind === "stdin" ? "stdin" : text;
    const shown = flags.text("output") === "json" ? renderJson(check) : renderText(check, name);
    await io.stdout.write(io.stdout.isTerminal ? visibleControls(shown) : shown);
    if (check.ok) io.notice(summaryOf(check));
    else io.error(summaryOf(check));
    return check.ok ? EXIT_OK : EXIT_FINDINGS;
  },
};

function renderJson({ ok, format, entries, report, problems }: SessionCheck): string {
  return `${jsonText({ ok, format, entries, report, problems })}\n`;
}

/** Two lines a problem: where and what, then what to do about it. Before them, what another agent's file holds. */
function renderText({ report, problems }: SessionCheck, name: string): string {
  const facts = report === undefined ? [] : renderConversion(report);
  const found = problems.map(
    ({ line, code, severity, problem, advice }) =>
      `${name}:${line}: ${severity} ${code}: ${problem}\n    ${advice}`,
  );
  return [...facts, ...found].map((line) => `${line}\n`).join("");
}

/** `1,018 entries checked (pi-v3): 1 error, 2 warnings`. */
function summaryOf({ format, entries, problems }: SessionCheck): string {
  const checked = `${entries.toLocaleString("en")} ${entries === 1 ? "entry" : "entries"} checked (${format})`;
  if (problems.length === 0) return `${checked}: nothing found`;
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return `${checked}: ${plural(errors, "error")}, ${plural(problems.length - errors, "warning")}`;
}
