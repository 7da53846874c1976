// `agent doctor`: is everything in place? Each check is one line with the way out of what it found.

import { visibleControls } from "../base/text.ts";
import { jsonText } from "../base/well-formed.ts";
import type { Command, CommandContext } from "./command.ts";
import type { DoctorCheck } from "./doctor-check.ts";
import { checkHost, checkServer } from "./doctor-server.ts";
import { checkPrograms, checkRuleFiles, checkSandbox, checkSettings, checkStore } from "./doctor-setup.ts";
import { EXIT_OK, exitCodeOf } from "./exit.ts";
import { outputFlag } from "./global-flags.ts";
import { HOST_FLAG, MODEL_FLAG } from "./model-flags.ts";

export const doctorCommand: Command = {
  flags: [
    outputFlag(["text", "json"]),
    { ...MODEL_FLAG, default: "settings, the server's only one" },
    HOST_FLAG,
  ],
  examples: [
    { line: "agent doctor", does: "look at settings, rules, store, server and model" },
    {
      line: "agent doctor --output json | jq -r '.checks[] | select(.ok | not) | .fix'",
      does: "what to do, and nothing else",
    },
  ],
  exitCodes: [69, 78],
  notes:
    "Exit 78 if something is set up wrongly; else 69 if the model server is missing; else 0. Nothing is written or run.",
  async run(context) {
    const { io, flags } = context;
    const checks = await runChecks(context);
    const failed = checks.filter((check) => !check.ok);
    const text =
      flags.text("output") === "json"
        ? renderJson(checks)
        : checks.map((check) => renderLine(check, nameWidth(checks))).join("");
    await io.stdout.write(io.stdout.isTerminal ? visibleControls(text) : text);
    if (failed.length === 0) return EXIT_OK;
    io.error(`not in place: ${failed.map((check) => check.name).join(", ")}`);
    return exitCodeOf(failed.some((check) => check.fault === "setup") ? "settings" : "unavailable");
  },
};

async function runChecks(context: CommandContext): Promise<readonly DoctorCheck[]> {
  const { checks, settings } = await checkSettings(context);
  const local = [
    ...checks,
    await checkRuleFiles(context, settings),
    checkStore(context),
    ...checkPrograms(context, settings),
    checkSandbox(context),
  ];
  const { check, server } = checkHost(context, settings);
  if (server === undefined) return [...local, check];
  return [...local, check, ...(await checkServer(context, { settings, server }))];
}

function renderJson(checks: readonly DoctorCheck[]): string {
  const shown = checks.map(({ name, ok, detail, fix }) => ({
    name,
    ok,
    detail,
    ...(fix === undefined ? {} : { fix }),
  }));
  return `${jsonText({ ok: checks.every((check) => check.ok), checks: shown })}\n`;
}

function nameWidth(checks: readonly DoctorCheck[]): number {
  return Math.max(...checks.map((check) => check.name.length));
}

function renderLine(check: DoctorCheck, width: number): string {
  const fix = check.fix === undefined ? "" : ` (${check.fix})`;
  return `${check.ok ? "ok  " : "FAIL"}  ${check.name.padEnd(width)}  ${check.detail}${fix}\n`;
}
