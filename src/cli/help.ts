// Help texts, made from the same tables that the parser uses.

import type { Command, CommandWords, FlagSpec } from "./command.ts";
import type { CommandRow } from "./commands.ts";
import { COMMON_EXIT_CODES, EXIT_CODES } from "./exit.ts";
import { placeholderOf } from "./flags.ts";
import { GLOBAL_FLAGS } from "./global-flags.ts";

/** `agent --help`: every command on one line. */
export function renderOverview(commands: readonly CommandRow[]): string {
  const width = Math.max(0, ...commands.map((row) => `${row.name} ${row.usage}`.length));
  return [
    "agent: a coding agent for shell scripts and CI",
    "",
    "Usage: agent <command> [flags]",
    "",
    "Commands:",
    ...commands.map((row) => `  ${`${row.name} ${row.usage}`.trimEnd().padEnd(width)}  ${row.summary}`),
    "",
    "Flags of every command:",
    ...renderFlags(GLOBAL_FLAGS),
    "",
    "More: agent <command> --help",
    "",
  ].join("\n");
}

/** `agent <command> --help`: usage, every flag with its default, examples, exit codes. */
export function renderHelp(words: CommandWords, command: Command): string {
  return [
    `agent ${words.name}: ${words.summary}`,
    "",
    `Usage: agent ${words.name} ${words.usage}`.trimEnd().concat(" [flags]"),
    "",
    ...(command.flags.length === 0 ? [] : ["Flags:", ...renderFlags(command.flags), ""]),
    "Flags of every command:",
    ...renderFlags(GLOBAL_FLAGS),
    "",
    ...(command.notes === undefined ? [] : [command.notes.trimEnd(), ""]),
    "Examples:",
    ...command.examples.flatMap((example) => [`  # ${example.does}`, `  ${example.line}`]),
    "",
    "Exit codes:",
    ...renderExitCodes(command),
    "",
  ].join("\n");
}

const WIDEST_HEAD = 34;

function renderFlags(flags: readonly FlagSpec[]): readonly string[] {
  const heads = flags.map(renderFlagHead);
  const width = Math.max(0, ...heads.map((head) => head.length).filter((length) => length <= WIDEST_HEAD));
  return flags.map((flag, index) => {
    const shown = flag.default === undefined ? "" : ` (default: ${flag.default})`;
    const head = heads[index] ?? "";
    // A longer head has a line of its own, so that the column of the texts is straight.
    const gap = head.length > width ? `\n  ${" ".repeat(width)}  ` : " ".repeat(width - head.length + 2);
    return `  ${head}${gap}${flag.help}${shown}`;
  });
}

function renderFlagHead(flag: FlagSpec): string {
  const short = flag.short === undefined ? "" : `-${flag.short}, `;
  if (flag.value.kind === "switch") return `${short}--${flag.name}`;
  const optional = flag.value.kind === "text" && flag.value.optional === true;
  const value = optional ? `[=${placeholderOf(flag)}]` : ` ${placeholderOf(flag)}`;
  return `${short}--${flag.name}${value}`;
}

function renderExitCodes(command: Command): readonly string[] {
  const given = new Set([...COMMON_EXIT_CODES, ...command.exitCodes]);
  return EXIT_CODES.filter((row) => given.has(row.code)).map(
    (row) => `  ${String(row.code).padEnd(4)} ${row.meaning}`,
  );
}
