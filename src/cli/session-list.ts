// `agent session list`: the sessions of this directory, or of all, newest first.

import { oneLine, visibleControls } from "../base/text.ts";
import { jsonText } from "../base/well-formed.ts";
import { summariseAgentSession } from "../session/agent-summary.ts";
import type { AgentName } from "../session/formats/format.ts";
import { listSessions } from "../session/listing.ts";
import { storeDirectory } from "../session/store.ts";
import type { SessionSummary } from "../session/summary.ts";
import { noArguments } from "./args.ts";
import type { Command, CommandContext } from "./command.ts";
import { EXIT_OK } from "./exit.ts";
import { agentOf, FROM_FLAG, sessionsOf, warnOfUnread } from "./from-flag.ts";
import { outputFlag } from "./global-flags.ts";
import { localTime } from "./shown-text.ts";

export const sessionListCommand: Command = {
  flags: [
    {
      name: "all",
      value: { kind: "switch" },
      default: "off",
      help: "sessions of every directory, not of this one alone",
    },
    FROM_FLAG,
    outputFlag(["text", "json", "jsonl"], "a table; one document; one record a line, the result last"),
  ],
  examples: [
    { line: "agent session list", does: "sessions of this directory, newest first" },
    { line: "agent session list --from claude", does: "Claude Code's sessions of this directory" },
    {
      line: "agent session list --all --output json | jq -r '.[0].path'",
      does: "the file of the newest session of all",
    },
  ],
  exitCodes: [],
  notes:
    "Only head and tail of each file are read. The number of messages of a long session is scaled up from them; it is\nshown as ~120, and has messagesEstimated in JSON.",
  async run(context) {
    noArguments(context);
    const { io, flags, cwd } = context;
    const all = flags.has("all");
    const agent = agentOf(context);
    const sessions =
      agent === undefined
        ? await listSessions({ store: storeDirectory(context), ...(all ? {} : { cwd }) })
        : await summariesOf(context, agent, all);
    await io.stdout.write(
      render(sessions, { output: flags.text("output"), all, safe: io.stdout.isTerminal }),
    );
    const whose = agent === undefined ? "sessions" : `sessions of ${agent}`;
    if (sessions.length === 0)
      io.notice(all ? `no ${whose} yet` : `no ${whose} for ${cwd}; --all shows those of every directory`);
    return EXIT_OK;
  },
};

async function summariesOf(
  context: CommandContext,
  agent: AgentName,
  all: boolean,
): Promise<readonly SessionSummary[]> {
  warnOfUnread(context, agent);
  const found: SessionSummary[] = [];
  for (const session of sessionsOf(context, agent, all)) {
    context.signal.throwIfAborted();
    const summary = await summariseAgentSession(session);
    if (summary !== undefined) found.push(summary);
  }
  return found;
}

interface RenderOptions {
  readonly output: string | undefined;
  readonly all: boolean;
  /** For a terminal: control characters are made visible. */
  readonly safe: boolean;
}

function render(sessions: readonly SessionSummary[], options: RenderOptions): string {
  switch (options.output) {
    case "json":
      return `${jsonText(sessions)}\n`;
    case "jsonl": {
      const result = { type: "result", ok: true, exitCode: EXIT_OK, sessions: sessions.length };
      return [...sessions, result].map((record) => `${jsonText(record)}\n`).join("");
    }
    default: {
      const table = renderTable(sessions, options.all);
      return options.safe ? visibleControls(table) : table;
    }
  }
}

const TITLE_LENGTH = 60;

function renderTable(sessions: readonly SessionSummary[], all: boolean): string {
  if (sessions.length === 0) return "";
  const short = shortIds(sessions.map((session) => session.id));
  const head = ["ID", "MODIFIED", "MESSAGES", ...(all ? ["DIRECTORY"] : []), "NAME OR FIRST PROMPT"];
  const rows = sessions.map((session) => [
    oneLine(short.get(session.id) ?? session.id, TITLE_LENGTH),
    localTime(session.modified).slice(0, -3),
    `${session.messagesEstimated === true ? "~" : ""}${session.messages}`,
    ...(all ? [oneLine(session.cwd, TITLE_LENGTH)] : []),
    oneLine(titleOf(session), TITLE_LENGTH),
  ]);
  const widths = head.map((title, column) =>
    rows.reduce((width, row) => Math.max(width, (row[column] ?? "").length), title.length),
  );
  return [head, ...rows]
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

function titleOf({ name, firstPrompt, beginsWith }: SessionSummary): string {
  return name ?? (firstPrompt === "" && beginsWith !== undefined ? `(${beginsWith})` : firstPrompt);
}

const SHORTEST_ID = 8;

/** The shortest beginnings that tell these ids apart; the command line takes them in the ids' place. */
function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = ids.toSorted();
  const common = (a: string, b: string | undefined): number => {
    let length = 0;
    while (b !== undefined && length < a.length && a[length] === b[length]) length += 1;
    return length;
  };
  return new Map(
    sorted.map((id, index) => {
      const apart = Math.max(common(id, sorted[index - 1]), common(id, sorted[index + 1])) + 1;
      return [id, id.slice(0, Math.max(SHORTEST_ID, apart))];
    }),
  );
}
