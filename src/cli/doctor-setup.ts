// Checks of what is on this machine: settings, rules, the session store, programs that the settings name.

import * as fs from "node:fs";
import { delimiter, dirname, resolve } from "node:path";
import { AppError } from "../base/errors.ts";
import { reasonOf } from "../base/system-error.ts";
import { escapedControls, plural } from "../base/text.ts";
import { checkRules } from "../rules/check.ts";
import { loadRules } from "../rules/load.ts";
import { storeDirectory } from "../session/store.ts";
import { loadSettings } from "../settings/load.ts";
import { DEFAULT_SETTINGS, type Settings } from "../settings/settings.ts";
import { BUILT_IN_TOOLS } from "../tools/names.ts";
import { findInPath, isExecutable } from "../tools/process/find-program.ts";
import type { CommandContext } from "./command.ts";
import { type DoctorCheck, failedCheck, failedWith, passed } from "./doctor-check.ts";
import { settingsRequest } from "./settings-of.ts";

export interface CheckedSettings {
  readonly checks: readonly DoctorCheck[];
  /** The defaults if they could not be read, so that the other checks can go on. */
  readonly settings: Settings;
}

/** Whether the settings can be read, and whether all of them are in force. */
export async function checkSettings(context: CommandContext): Promise<CheckedSettings> {
  const request = settingsRequest(context);
  try {
    const loaded = await loadSettings(request);
    // What a trusted project would be warned of is wrong; the rest is what is ignored for want of trust.
    const { warnings: wrong } = await loadSettings({ ...request, trust: true });
    const ignored = loaded.warnings.filter((warning) => !wrong.includes(warning));
    const files = loaded.files.length === 0 ? "no files; the defaults" : loaded.files.join(", ");
    const check =
      wrong.length === 0
        ? passed("settings", files)
        : failedCheck("settings", { detail: wrong.join("; "), fix: "agent config shows what is in force" });
    return { checks: [check, ...ignored.map((text) => passed("trust", text))], settings: loaded.settings };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { checks: [failedWith("settings", error)], settings: DEFAULT_SETTINGS };
  }
}

/** Whether each rule can act as written. */
export async function checkRuleFiles(context: CommandContext, settings: Settings): Promise<DoctorCheck> {
  const { cwd, home, env } = context;
  const report = checkRules(await loadRules({ cwd, home, env, rulesDirs: [] }), {
    settings: settings.ttsr,
    tools: BUILT_IN_TOOLS,
  });
  const errors = report.findings.filter((finding) => finding.severity === "error");
  const count = plural(report.checked, "rule");
  if (errors.length === 0) return passed("rules", report.checked === 0 ? "none" : count);
  const names = [...new Set(errors.map((finding) => escapedControls(finding.rule)))];
  return failedCheck("rules", {
    detail: `${plural(errors.length, "error")} in ${count}: ${names.join(", ")}`,
    fix: "agent rules check says what and where",
  });
}

/** Whether sessions can be kept. The store is made when the first one is. */
export function checkStore({ env, home, cwd }: CommandContext): DoctorCheck {
  let store = "";
  try {
    store = resolve(cwd, storeDirectory({ env, home }));
    const existing = nearestExisting(store);
    if (!fs.statSync(existing).isDirectory()) throw new Error(`${existing} is not a directory`);
    fs.accessSync(existing, fs.constants.W_OK | fs.constants.X_OK);
    return passed("store", store);
  } catch (error) {
    if (error instanceof AppError)
      return failedCheck("store", { detail: error.message, fix: error.hint ?? "" });
    return failedCheck("store", {
      detail: `${store}: ${reasonOf(error)}`,
      fix: "make it writable, set AGENT_HOME, or use --no-session",
    });
  }
}

function nearestExisting(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (fs.existsSync(at) || dirname(at) === at) return at;
  }
}

/** Whether the programs of custom tools and hooks are there. */
export function checkPrograms({ cwd, env }: CommandContext, settings: Settings): readonly DoctorCheck[] {
  const named = [
    ...settings.tools.map((tool) => ({ owner: `tool ${tool.name}`, program: tool.command[0] })),
    ...Object.entries(settings.hooks).flatMap(([event, hooks]) =>
      hooks.map((hook) => ({ owner: `hook ${event}`, program: hook.command[0] })),
    ),
  ];
  return named.map(({ owner, program = "" }) => {
    const path = findProgram(program, { cwd, path: env["PATH"] });
    if (path !== undefined) return passed(owner, path);
    return failedCheck(owner, {
      detail: `there is no program "${program}"`,
      fix: "correct its command in the settings",
    });
  });
}

/** Optional: only `--sandbox` needs it, and says so itself. */
export function checkSandbox({ cwd, env }: CommandContext): DoctorCheck {
  const path = findProgram("bwrap", { cwd, path: env["PATH"] });
  return passed("sandbox", path ?? "bubblewrap is not installed; only --sandbox needs it");
}

/** The file that a program's name stands for, if it can be run. Relative parts of PATH start from `cwd`. */
function findProgram(
  program: string,
  { cwd, path = "" }: { readonly cwd: string; readonly path: string | undefined },
): string | undefined {
  if (program.includes("/")) return [resolve(cwd, program)].find(isExecutable);
  const directories = path.split(delimiter).filter((directory) => directory !== "");
  return findInPath(program, directories.map((directory) => resolve(cwd, directory)).join(delimiter));
}
