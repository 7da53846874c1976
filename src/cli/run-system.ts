// The system prompt of a run, from flags, rules and the files that a project and its user keep for agents.

import { platform } from "node:os";
import { dirname, resolve } from "node:path";
import { loadContextFiles } from "../agent/context-files.ts";
import { buildSystemPrompt } from "../agent/system-prompt.ts";
import type { JsonObject } from "../base/json.ts";
import { ignoredLink } from "../base/leads-out.ts";
import { readNamedFile } from "../base/named-file.ts";
import { userConfigPath } from "../settings/layers.ts";
import type { ToolSet } from "../tools/tool.ts";
import type { CommandContext } from "./command.ts";
import type { RunRules } from "./run-rules.ts";
import { projectTrust } from "./settings-of.ts";

export interface SystemParts {
  readonly rules: RunRules;
  readonly tools: ToolSet;
  readonly schema: JsonObject | undefined;
}

/** Rejects with `AppError` (`notFound`) for an `@file` that is not there. */
export async function systemPromptOf(
  context: CommandContext,
  { rules, tools, schema }: SystemParts,
): Promise<string> {
  const trusted = await projectTrust(context);
  const { cwd, home, flags } = context;
  const canRead = tools.offered.some((tool) => tool.spec.name === "read");
  return buildSystemPrompt({
    system: await textOrFile(context, "system"),
    append: await textOrFile(context, "append-system"),
    cwd,
    platform: platform(),
    date: new Date().toISOString().slice(0, 10),
    contextFiles: flags.has("no-context-files")
      ? []
      : loadContextFiles({
          cwd,
          home,
          configDirectory: userDirectory(context),
          trusted: () => trusted,
          onIgnored: (path) => context.io.warning(ignoredLink(path)),
        }),
    alwaysRules: rules.always,
    rulebook: canRead ? rules.rulebook : [],
    schema,
  });
}

/** The directory of the user's settings, rules, prompts and AGENTS.md. */
export function userDirectory({ home, env }: CommandContext): string | undefined {
  const file = userConfigPath(home, env);
  return file === undefined ? undefined : dirname(file);
}

/** A flag's text, or the file that it names after `@`. */
async function textOrFile({ flags, cwd, signal }: CommandContext, name: string): Promise<string | undefined> {
  const given = flags.text(name);
  if (given === undefined || !given.startsWith("@")) return given;
  const path = given.slice(1);
  return await readNamedFile(resolve(cwd, path), {
    cannot: `--${name}: cannot read "${path}"`,
    kind: "failed",
    signal,
  });
}
