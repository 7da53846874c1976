// `--from`: sessions of other agents, where these keep them, in the place of our own store.

import { AppError } from "../base/errors.ts";
import { AGENT_NAMES, type AgentName } from "../session/formats/format.ts";
import { opencodeDatabase } from "../session/opencode-storage.ts";
import { type AgentSession, agentSessions } from "../session/places.ts";
import type { CommandContext, FlagSpec } from "./command.ts";

export const FROM_FLAG: FlagSpec = {
  name: "from",
  value: { kind: "choice", choices: AGENT_NAMES },
  default: "our own store",
  help: "look for latest, ids and lists among this agent's sessions",
};

/** The agent that `--from` names; undefined without it. */
export function agentOf({ flags }: CommandContext): AgentName | undefined {
  const name = flags.text("from");
  return AGENT_NAMES.find((agent) => agent === name);
}

/** Says on stderr that an agent has sessions which are not looked at, and how to get at them. */
export function warnOfUnread({ home, env, io }: CommandContext, agent: AgentName): void {
  const database = agent === "opencode" ? opencodeDatabase({ home, env }) : undefined;
  if (database === undefined) return;
  io.warning(
    `${database} is not read; OpenCode writes a session of it into a file: opencode export <id> > session.json`,
  );
}

/** Its sessions, newest first; of this directory only, unless `all`. */
export function sessionsOf(
  { home, env, cwd }: CommandContext,
  agent: AgentName,
  all: boolean,
): Iterable<AgentSession> {
  return agentSessions({ agent, home, env, ...(all ? {} : { cwd }) });
}

const SHORTEST_PREFIX = 4;

/**
 * `latest`, or an id or its beginning, looked up in this directory first, then in all. Throws `AppError`: `notFound`;
 * `usage` for a path or `-`, for a prefix that is too short or that several sessions share.
 */
export function findAgentSession(context: CommandContext, agent: AgentName, text: string): AgentSession {
  if (text === "-" || /[/\\]|\.jsonl?$/.test(text)) {
    throw new AppError("usage", `--from ${agent} is for "latest" and for ids, but "${text}" is neither`, {
      hint: "A path needs no --from: the format is recognised by content.",
    });
  }
  warnOfUnread(context, agent);
  const hint = `agent session list --from ${agent} --all shows the sessions of every directory.`;
  if (text === "latest") {
    const latest = newestWithMessages(sessionsOf(context, agent, false));
    if (latest !== undefined) return latest;
    throw new AppError("notFound", `There is no session of ${agent} for ${context.cwd}`, { hint });
  }
  if (text.length < SHORTEST_PREFIX) {
    throw new AppError("usage", `"${text}" is too short for the beginning of a session id`, {
      hint: `Give at least ${SHORTEST_PREFIX} characters, or "latest"`,
    });
  }
  const here = matching(sessionsOf(context, agent, false), text);
  const found = here.length > 0 ? here : matching(sessionsOf(context, agent, true), text);
  const [only, second] = found;
  if (only === undefined) {
    throw new AppError("notFound", `There is no session of ${agent} whose id begins with "${text}"`, {
      hint,
    });
  }
  if (second !== undefined) {
    throw new AppError("usage", `"${text}" is the beginning of ${found.length} session ids`, {
      hint: found.map((session) => `${session.id ?? "?"}  ${session.path}`).join("\n"),
    });
  }
  return only;
}

/** Agents leave a file behind each time they are opened: one without messages is not what anybody means. */
function newestWithMessages(sessions: Iterable<AgentSession>): AgentSession | undefined {
  let newest: AgentSession | undefined;
  for (const session of sessions) {
    if (session.hasMessages) return session;
    newest ??= session;
  }
  return newest;
}

function matching(sessions: Iterable<AgentSession>, text: string): readonly AgentSession[] {
  const found = [...sessions].filter((session) => session.id?.startsWith(text) === true);
  const exact = found.filter((session) => session.id === text);
  return exact.length > 0 ? exact.slice(0, 1) : found;
}
