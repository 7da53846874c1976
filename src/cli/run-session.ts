// Which session a run starts from: none, one that goes on, or a copied branch. Nothing is locked or written here.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { AppError } from "../base/errors.ts";
import { plural } from "../base/text.ts";
import { buildSessionContext } from "../session/context.ts";
import { appendObstacle } from "../session/obstacle.ts";
import type { Session, SessionContext } from "../session/session.ts";
import type { CommandContext, ParsedFlags } from "./command.ts";
import { intoPath } from "./into-path.ts";
import { openSessionArgument } from "./session-arg.ts";
import { findEntry } from "./session-entry.ts";

/** What a run starts from. Nothing is locked or written yet. */
export interface SessionStart {
  /** The session that the run goes on from; undefined for a new one. */
  readonly base: Session | undefined;
  /** The branch of `base` that counts. */
  readonly leafId: string | null;
  readonly context: SessionContext;
  readonly kind: "new" | "resume" | "copy" | "memory";
  /** Absolute path of `--into`. */
  readonly into: string | undefined;
  readonly notices: readonly string[];
}

/** The context of a session without entries. */
export const NO_CONTEXT: SessionContext = {
  messages: [],
  entryIds: [],
  model: undefined,
  thinkingLevel: undefined,
  injectedTtsrRules: [],
  problems: [],
};

/** True if stdin is the session, so that the prompt cannot come from there. */
export function sessionTakesStdin(flags: ParsedFlags): boolean {
  return flags.text("session") === "-" || flags.text("fork") === "-";
}

/**
 * Finds and reads what the flags name. Throws `AppError`: `usage` for flags that exclude one another, `notFound` for a
 * session or entry that is not there, `input` for one that cannot be read.
 */
export async function startSession(context: CommandContext): Promise<SessionStart> {
  const { flags } = context;
  checkSessionFlags(flags);
  const into = intoPath(context, "--output session");
  if (into !== undefined && existsSync(into))
    throw new AppError("usage", `--into: something is at "${flags.text("into")}" already`);
  const inMemory = flags.has("no-session") || flags.text("output") === "session";
  const fork = flags.text("fork");
  if (fork !== undefined) {
    const { session, leafId } = await openFork(context, fork);
    return startFrom(context, { base: session, leafId, kind: inMemory ? "memory" : "copy", into });
  }
  const named = flags.has("continue") ? "latest" : flags.text("session");
  if (named === undefined) {
    const kind = inMemory ? "memory" : "new";
    return { base: undefined, leafId: null, context: NO_CONTEXT, kind, into, notices: [] };
  }
  const base = await openSessionArgument(context, named);
  const obstacle = appendObstacle(base);
  const kind = inMemory ? "memory" : obstacle !== undefined || into !== undefined ? "copy" : "resume";
  const start = startFrom(context, { base, leafId: base.leafId, kind, into });
  if (kind !== "copy" || obstacle === undefined || named === "-") return start;
  return { ...start, notices: [...start.notices, `The session goes on in a new file: ${obstacle}`] };
}

/** Throws `AppError` (`usage`) for flags that exclude one another. */
export function checkSessionFlags(flags: ParsedFlags): void {
  const sources = ["session", "continue", "fork"].filter((name) => flags.has(name));
  if (sources.length > 1) {
    const [first, second] = sources;
    throw new AppError("usage", `--${first} and --${second} exclude each other`);
  }
  if (sources.length === 0 && flags.has("from"))
    throw new AppError("usage", "--from needs --session, --continue or --fork");
  if (flags.has("no-session") && flags.has("into"))
    throw new AppError("usage", "--no-session and --into exclude each other");
  if (flags.text("output") === "session" && flags.has("into"))
    throw new AppError("usage", "--output session and --into exclude each other", {
      hint: `The session goes to stdout, and no file is made: > ${flags.text("into")} keeps it.`,
    });
}

/** `<session>[:<entry>]`: the whole text is a session if there is one of that name. */
async function openFork(
  context: CommandContext,
  text: string,
): Promise<{ readonly session: Session; readonly leafId: string | null }> {
  const colon = text.lastIndexOf(":");
  if (colon <= 0 || existsSync(resolve(context.cwd, text))) {
    const session = await openSessionArgument(context, text);
    return { session, leafId: session.leafId };
  }
  const session = await openSessionArgument(context, text.slice(0, colon));
  return { session, leafId: findEntry(session, text.slice(colon + 1)).id };
}

function startFrom(
  { cwd }: CommandContext,
  parts: Pick<SessionStart, "leafId" | "kind" | "into"> & { readonly base: Session },
): SessionStart {
  const { base } = parts;
  const context = buildSessionContext(base, parts.leafId);
  const problems = new Set([...base.problems, ...context.problems]).size;
  const notices =
    problems === 0 ? [] : [`The session has ${plural(problems, "problem")} (agent session check)`];
  const elsewhere = base.header.cwd !== "" && !existsSync(base.header.cwd);
  const moved = elsewhere ? [`The session's directory ${base.header.cwd} is not here; using ${cwd}`] : [];
  return { ...parts, context, notices: [...notices, ...moved] };
}
