// `agent rules init`: two rules to begin with, written into the project. Nothing that exists is touched.

import * as fs from "node:fs";
import { join } from "node:path";
import noAny from "../../fixtures/rules/starter/no-any.md" with { type: "text" };
import noForcePush from "../../fixtures/rules/starter/no-force-push.md" with { type: "text" };
import { AppError, codeOf } from "../base/errors.ts";
import { reasonOf } from "../base/system-error.ts";
import { jsonText } from "../base/well-formed.ts";
import type { Command } from "./command.ts";
import { EXIT_OK } from "./exit.ts";
import { outputFlag } from "./global-flags.ts";
import { pathFrom } from "./rule-flags.ts";

const STARTERS = [
  { name: "no-any.md", text: noAny },
  { name: "no-force-push.md", text: noForcePush },
];

export const rulesInitCommand: Command = {
  flags: [outputFlag(["text", "json"])],
  examples: [
    { line: "agent rules init", does: "write .agent/rules/no-any.md and no-force-push.md" },
    { line: "agent rules init && agent rules check --strict", does: "write them and run their examples" },
  ],
  exitCodes: [1],
  async run({ cwd, io, flags, args }) {
    if (args.length > 0) throw new AppError("usage", `rules init takes no arguments, but got "${args[0]}"`);
    const directory = join(cwd, ".agent", "rules");
    const written: string[] = [];
    const kept: string[] = [];
    for (const { name, text } of STARTERS) {
      const file = join(directory, name);
      const path = pathFrom(cwd, file);
      if (writeNew(file, text, directory)) written.push(path);
      else {
        kept.push(path);
        io.notice(`${path} exists and was left as it is`);
      }
    }
    const json = flags.text("output") === "json";
    await io.stdout.write(
      json ? `${jsonText({ written, kept })}\n` : written.map((path) => `${path}\n`).join(""),
    );
    if (written.length > 0) io.notice("agent rules check runs their examples; docs/rules.md has every key");
    return EXIT_OK;
  },
};

/** False if the file exists. */
function writeNew(file: string, text: string, directory: string): boolean {
  try {
    fs.mkdirSync(directory, { recursive: true });
    fs.writeFileSync(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST" && fs.existsSync(file)) return false;
    throw new AppError("failed", `Cannot write "${file}": ${reasonOf(error)}`, { cause: error });
  }
}
