// Where other agents keep their sessions, for `--from`: files of every known place, newest first, and the directory that
// each was made in. Nothing is written there, and of each file only the beginning is read.

import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { isObject, objectAt, parseJson, stringAt } from "../base/json.ts";
import { fileChunks } from "../base/lines.ts";
import { entriesIn, realOf, statOf } from "../base/stat.ts";
import type { AgentName } from "./formats/format.ts";
import { headFacts } from "./formats/head-facts.ts";
import { opencodeDirectory, opencodeExport } from "./opencode-storage.ts";
import type { SessionFormat } from "./session.ts";

export interface PlaceRequest {
  readonly agent: AgentName;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Only sessions of this directory; left out: of all. */
  readonly cwd?: string;
}

export interface AgentSession {
  readonly path: string;
  /** As its beginning tells it. */
  readonly id: string | undefined;
  readonly format: SessionFormat;
  readonly modified: Date;
  /** Of the file, in bytes. */
  readonly size: number;
  readonly isSubagent: boolean;
  /** False for a session that is known to hold none. */
  readonly hasMessages: boolean;
  /** Where it was made, as far as its beginning tells. */
  readonly cwd: string | undefined;
  /** The session's bytes: its file, or, for OpenCode, an export made of its files. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** The sessions of an agent, newest first. A place that does not exist has none; a file that is no session is skipped. */
export function* agentSessions(request: PlaceRequest): Generator<AgentSession, void> {
  const wanted = request.cwd === undefined ? undefined : realOf(request.cwd);
  const files = candidates(request).flatMap(withTime);
  files.sort((a, b) => b.time - a.time || (a.path < b.path ? 1 : -1));
  for (const file of files) {
    const session = sessionOf(file);
    if (session === undefined || session.isSubagent) continue;
    const cwd = session.cwd ?? (file.isOfRequest ? request.cwd : undefined);
    if (wanted !== undefined && (cwd === undefined || realOf(cwd) !== wanted)) continue;
    yield { ...session, cwd };
  }
}

/** One session by its path, of whichever agent; undefined for a file that is gone or is no session. */
export function sessionFile(path: string): AgentSession | undefined {
  return withTime({ path, isOfRequest: false }).map(sessionOf)[0];
}

function sessionOf({ path, time, size }: Stated): AgentSession | undefined {
  const facts = headFacts(path);
  if (facts === undefined) return undefined;
  const { id, format, cwd, isSubagent, hasMessages } = facts;
  const chunks = facts.isOpencodeInfo ? () => opencodeExport(path) : () => fileChunks(path);
  return { path, id, format, modified: new Date(time), size, cwd, isSubagent, hasMessages, chunks };
}

interface Candidate {
  readonly path: string;
  /** The place itself says that the file is of the directory asked for. */
  readonly isOfRequest: boolean;
}

interface Stated extends Candidate {
  /** Of the last write, in Unix ms. */
  readonly time: number;
  readonly size: number;
}

function withTime(candidate: Candidate): readonly Stated[] {
  const stat = statOf(candidate.path);
  return stat?.isFile() ? [{ ...candidate, time: stat.mtimeMs, size: stat.size }] : [];
}

function candidates(request: PlaceRequest): readonly Candidate[] {
  const { agent, env } = request;
  // Without a home directory nothing is looked for in the working directory.
  const home = isAbsolute(request.home) ? request.home : "/";
  switch (agent) {
    case "claude": {
      const roots = [env["CLAUDE_CONFIG_DIR"] || join(home, ".claude"), join(home, ".config", "claude")];
      return roots.flatMap((root) => claudeFiles(join(root, "projects"), request.cwd));
    }
    case "codex": {
      const root = env["CODEX_HOME"] || join(home, ".codex");
      return ["sessions", "archived_sessions"].flatMap((name) =>
        below(join(root, name), /^rollout-.*\.jsonl?$/),
      );
    }
    case "opencode":
      return below(join(opencodeDirectory({ home, env }), "storage", "session"), /\.json$/);
    case "gemini":
      return geminiFiles(join(home, ".gemini"), request.cwd);
    case "copilot": {
      const root = env["COPILOT_HOME"] || join(home, ".copilot");
      const names = ["session-state", "history-session-state"];
      return names.flatMap((name) => below(join(root, name), /\.jsonl$/));
    }
    case "pi":
      return below(join(env["PI_CODING_AGENT_DIR"] || join(home, ".pi", "agent"), "sessions"), /\.jsonl$/);
    case "omp":
      return below(join(home, ".omp", "agent", "sessions"), /\.jsonl$/);
  }
}

/** One directory a project, named after its path; those of other names are not looked into when one is asked for. */
function claudeFiles(root: string, cwd: string | undefined): readonly Candidate[] {
  const names = cwd === undefined ? namesIn(root) : [...new Set([cwd, realOf(cwd)].map(claudeName))];
  return names.flatMap((name) =>
    namesIn(join(root, name))
      .filter((file) => file.endsWith(".jsonl") && !file.startsWith("agent-"))
      .map((file) => ({ path: join(root, name, file), isOfRequest: false })),
  );
}

function claudeName(cwd: string): string {
  return cwd.replace(/[^A-Za-z0-9]/g, "-");
}

/** One directory a project: the hash of its path, or a name that a file inside, or the list of projects, explains. */
function geminiFiles(root: string, cwd: string | undefined): readonly Candidate[] {
  const projects = join(root, "tmp");
  const paths = cwd === undefined ? [] : [cwd, realOf(cwd)];
  const names = new Set([...paths.map(hashOf), ...geminiNames(root, paths)]);
  return namesIn(projects).flatMap((name) => {
    const told = readShort(join(projects, name, ".project_root"));
    const isOfRequest = names.has(name) || (told !== undefined && paths.includes(told));
    if (cwd !== undefined && !isOfRequest) return [];
    return namesIn(join(projects, name, "chats"))
      .filter((file) => /^session-.*\.jsonl?$/.test(file))
      .map((file) => ({ path: join(projects, name, "chats", file), isOfRequest }));
  });
}

/** The names that `projects.json` gives these paths. */
function geminiNames(root: string, paths: readonly string[]): readonly string[] {
  const list = parseJson(readShort(join(root, "projects.json")) ?? "");
  const projects = isObject(list) ? (objectAt(list, "projects") ?? {}) : {};
  return paths.flatMap((path) => stringAt(projects, path) ?? []);
}

function hashOf(cwd: string): string {
  return createHash("sha256").update(cwd).digest("hex");
}

/** How deep places nest: year, month and day, or a directory a session. */
const MAX_DEPTH = 4;

function below(root: string, pattern: RegExp, depth = 0): readonly Candidate[] {
  return entriesIn(root).flatMap((entry) => {
    const path = join(root, entry.name);
    if (entry.isDirectory()) {
      return depth < MAX_DEPTH && entry.name !== "subagents" ? below(path, pattern, depth + 1) : [];
    }
    return pattern.test(basename(path)) ? [{ path, isOfRequest: false }] : [];
  });
}

function namesIn(directory: string): readonly string[] {
  return entriesIn(directory).map((entry) => entry.name);
}

function readShort(path: string): string | undefined {
  try {
    return fs.readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}
