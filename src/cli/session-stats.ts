// `agent session stats`: counts, tokens, files and commands of a session.

import { renderDuration } from "../base/duration.ts";
import { plural, visibleControls } from "../base/text.ts";
import { jsonText } from "../base/well-formed.ts";
import { type FileCounts, type SessionStats, sessionStats } from "../session/stats.ts";
import { oneSession } from "./args.ts";
import type { Command } from "./command.ts";
import { EXIT_OK } from "./exit.ts";
import { FROM_FLAG } from "./from-flag.ts";
import { outputFlag } from "./global-flags.ts";
import { locateSession, sessionChunks, warnOfProblems } from "./session-arg.ts";
import { localTime } from "./shown-text.ts";

export const sessionStatsCommand: Command = {
  flags: [outputFlag(["text", "json"]), FROM_FLAG],
  examples: [
    { line: "agent session stats latest", does: "the newest session of this directory" },
    {
      line: "agent session stats --output json - < s.jsonl | jq .tokens.total",
      does: "the tokens of a session from a pipe",
    },
  ],
  exitCodes: [65, 66],
  notes: "All entries of the file count, those of abandoned branches too.",
  async run(context) {
    const { io, flags } = context;
    const text = oneSession(context);
    const chunks = sessionChunks(context, locateSession(context, text));
    const stats = await sessionStats(chunks, text);
    const shown = flags.text("output") === "json" ? `${jsonText(stats)}\n` : renderStats(stats);
    await io.stdout.write(io.stdout.isTerminal ? visibleControls(shown) : shown);
    warnOfProblems(context, stats.problems);
    return EXIT_OK;
  },
};

const MOST_FILES = 20;

function renderStats(stats: SessionStats): string {
  const { messages, tokens, commands, errors } = stats;
  const cached = tokens.total - tokens.input - tokens.output;
  const many = (value: number) => value.toLocaleString("en");
  const rows: readonly (readonly [string, string])[] = [
    ["session", stats.id],
    ["format", stats.format],
    ["directory", stats.cwd],
    ["time", renderTime(stats)],
    ["entries", many(stats.entries)],
    [
      "messages",
      `${many(messages.total)} (${many(messages.user)} user, ${many(messages.assistant)} assistant, ${many(messages.toolResult)} tool results, ${many(messages.other)} other)`,
    ],
    ["turns", many(stats.turns)],
    ["compactions", many(stats.compactions)],
    [
      "tokens",
      `${many(tokens.total)} (${many(tokens.input)} in, ${many(tokens.output)} out${cached > 0 ? `, ${many(cached)} cached` : ""})`,
    ],
    ["commands", `${many(commands.total)} (${many(commands.failed)} failed)`],
    ["errors", `${plural(errors.answers, "answer")}, ${plural(errors.tools, "tool result")}`],
    [
      "tools",
      Object.entries(stats.tools)
        .map(([name, count]) => `${name} ${many(count)}`)
        .join(", "),
    ],
  ];
  const shown = rows.filter(([, value]) => value !== "");
  const width = Math.max(...shown.map(([name]) => name.length));
  return (
    shown.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join("") + renderFiles(stats.files)
  );
}

function renderTime({ firstTimestamp, lastTimestamp }: SessionStats): string {
  if (firstTimestamp === null || lastTimestamp === null) return "";
  const span = renderDuration(Date.parse(lastTimestamp) - Date.parse(firstTimestamp));
  return `${localTime(firstTimestamp)} to ${localTime(lastTimestamp)} (${span})`;
}

/** The files with the most changes, then reads; how many more there are. */
function renderFiles(files: readonly FileCounts[]): string {
  if (files.length === 0) return "";
  const weight = ({ reads, writes, edits }: FileCounts) => (writes + edits) * 1_000_000 + reads;
  const shown = files.toSorted((a, b) => weight(b) - weight(a)).slice(0, MOST_FILES);
  const lines = shown.map(({ path, reads, writes, edits }) => {
    const counts = [plural(reads, "read"), plural(writes, "write"), plural(edits, "edit")];
    return `  ${path}  ${counts.filter((count) => !count.startsWith("0 ")).join(", ")}\n`;
  });
  const more = files.length - shown.length;
  return `files\n${lines.join("")}${more === 0 ? "" : `  and ${plural(more, "more file")}\n`}`;
}
