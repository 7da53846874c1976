// `agent handoff` through the binary: a fixture session copied into a directory of its own, a fake server, a store.

import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeOllama, type FakeOllamaOptions, fakeOllama, type ScriptedAnswer } from "./fake-ollama.ts";
import { fixtureSession } from "./handoff-facts.ts";
import { type AgentOptions, type AgentResult, type RunningAgent, startAgent } from "./spawn.ts";
import { type TempDir, tempDir } from "./temp.ts";

/** A whole document, as a model that follows the prompt writes it. */
export const WHOLE_DOCUMENT = `## Goal
Signed tokens.

## Constraints & Preferences
- Never log a token.

## Progress

### Done
- \`src/auth/token.ts\`

### In Progress
- The tests

### Pending
None

## Key Decisions
- HMAC, because one service verifies

## Critical Context
- The key is undefined after a restart

## Next Steps
1. Read AUTH_KEY everywhere`;

export interface HandoffPlace extends AsyncDisposable {
  readonly server: FakeOllama;
  readonly dir: TempDir;
  /** The copied session. */
  readonly path: string;
  /** Flags that name the fake model. */
  readonly model: readonly string[];
  run(args: readonly string[], options?: Partial<AgentOptions>): Promise<AgentResult>;
  start(args: readonly string[], options?: Partial<AgentOptions>): RunningAgent;
  /** The lines of the copied session that were not there before, decoded. */
  added(): readonly Record<string, unknown>[];
  /** Every file of the store, decoded, oldest first. */
  stored(): readonly (readonly Record<string, unknown>[])[];
}

/** `session`: a fixture's name, or the text of a session file. */
export async function handoffPlace(
  session: string,
  answers: readonly ScriptedAnswer[] = [],
  options: FakeOllamaOptions = {},
): Promise<HandoffPlace> {
  const server = await fakeOllama({ ...options, answers });
  const dir = tempDir();
  const path = join(dir.path, "old.jsonl");
  if (session.startsWith("{")) dir.write("old.jsonl", session);
  else copyFileSync(fixtureSession(session), path);
  const before = readFileSync(path, "utf8");
  const home = join(dir.path, "home");
  mkdirSync(home);
  const start = (args: readonly string[], more: Partial<AgentOptions> = {}) =>
    startAgent(args, { cwd: dir.path, home, ...more });
  return {
    server,
    dir,
    path,
    model: ["--model", "fake", "--host", server.url],
    start,
    run: (args, more) => start(args, more).result,
    added: () => decodeLines(readFileSync(path, "utf8").slice(before.length)),
    stored: () =>
      storedFiles(join(home, "agent", "sessions")).map((file) => decodeLines(readFileSync(file, "utf8"))),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}

function decodeLines(text: string): readonly Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

function storedFiles(directory: string): readonly string[] {
  const names = listAll(directory).filter((name) => !name.endsWith("/"));
  return names.sort().map((name) => join(directory, name));
}

/** Names of every file below, also of those that should not be there. */
function listAll(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
  } catch {
    return [];
  }
}

/** Roles and texts of message entries, for comparing what was recorded. */
export function recorded(entries: readonly Record<string, unknown>[]): readonly string[] {
  return entries.map((entry) => {
    const message = entry["message"];
    if (typeof message !== "object" || message === null || !("role" in message) || !("content" in message))
      return String(entry["type"]);
    const { role, content } = message;
    const text =
      typeof content === "string"
        ? content
        : Array.isArray(content)
          ? content.map((block) => block.text ?? block.type).join("")
          : "";
    return `${String(role)}: ${text.slice(0, 40)}`;
  });
}
