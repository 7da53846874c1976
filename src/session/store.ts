// Where sessions live: one directory for each working directory, files named `<timestamp>_<id>.jsonl`. A directory's name
// is readable and ends in a hash of the whole path, so that two paths never share one.

import { createHash } from "node:crypto";
import { basename, isAbsolute, join } from "node:path";
import { AppError } from "../base/errors.ts";
import { entriesIn, realOf, statOf } from "../base/stat.ts";
import type { SessionHeader } from "./entry.ts";

export interface StorePlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * `$AGENT_HOME/sessions`, else `$XDG_DATA_HOME/agent/sessions`, else `~/.local/share/agent/sessions`. Throws `AppError`
 * (`settings`) without a home directory: sessions never go to the working directory.
 */
export function storeDirectory(place: StorePlace): string {
  const { env, home } = place;
  if (env["AGENT_HOME"]) return join(env["AGENT_HOME"], "sessions");
  const data = env["XDG_DATA_HOME"];
  // The XDG specification says that a relative path is to be ignored.
  if (data?.startsWith("/")) return join(data, "agent", "sessions");
  if (!isAbsolute(home))
    throw new AppError("settings", "There is no place for sessions: HOME is not set", {
      hint: "Set HOME or AGENT_HOME; agent run --no-session and --into need neither.",
    });
  return join(home, ".local", "share", "agent", "sessions");
}

/** The store's directory for a working directory; symbolic links in `cwd` are resolved where it exists. */
export function sessionDirectory(store: string, cwd: string): string {
  const path = realOf(cwd);
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 12);
  const readable =
    path
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^-+/, "")
      .slice(-60) || "root";
  return join(store, `${readable}-${hash}`);
}

/** Path of a new session's file in the store. */
export function newSessionPath(store: string, header: SessionHeader): string {
  const time = header.timestamp.replace(/[:.]/g, "-");
  return join(sessionDirectory(store, header.cwd), `${time}_${header.id}.jsonl`);
}

/** A session file of the store, as far as its name tells. */
export interface StoredSession {
  readonly id: string;
  readonly path: string;
}

/** The session files of one directory of the store, in no order; none where it does not exist. */
export function storedSessions(directory: string): readonly StoredSession[] {
  return entriesIn(directory).flatMap((entry) => {
    const { name } = entry;
    if (!name.endsWith(".jsonl") || name.startsWith(".")) return [];
    // To open a pipe would wait for its writer.
    if (!entry.isFile() && statOf(join(directory, name))?.isFile() !== true) return [];
    const stem = basename(name, ".jsonl");
    return [{ id: stem.slice(stem.indexOf("_") + 1), path: join(directory, name) }];
  });
}

/** The session files of the whole store. */
export function allStoredSessions(store: string): readonly StoredSession[] {
  return entriesIn(store).flatMap(({ name }) => storedSessions(join(store, name)));
}

/** The session of this directory that was written to last. */
export function latestSession(store: string, cwd: string): StoredSession | undefined {
  let latest: StoredSession | undefined;
  let latestTime = Number.NEGATIVE_INFINITY;
  for (const session of storedSessions(sessionDirectory(store, cwd))) {
    const time = statOf(session.path)?.mtimeMs;
    if (time === undefined || time < latestTime) continue;
    if (time === latestTime && latest !== undefined && latest.id > session.id) continue;
    latest = session;
    latestTime = time;
  }
  return latest;
}

/**
 * The sessions whose id is `text` or begins with it: those of this directory, or, if it has none, of the whole store. An
 * exact id wins over prefixes.
 */
export function findSessions(store: string, cwd: string, text: string): readonly StoredSession[] {
  const here = matching(storedSessions(sessionDirectory(store, cwd)), text);
  return here.length > 0 ? here : matching(allStoredSessions(store), text);
}

function matching(sessions: readonly StoredSession[], text: string): readonly StoredSession[] {
  const exact = sessions.filter((session) => session.id === text);
  return exact.length > 0 ? exact : sessions.filter((session) => session.id.startsWith(text));
}
