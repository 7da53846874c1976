// `agent run` through the binary against a fake server, in a directory of its own: what the end-to-end tests share.

import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeOllama, type FakeOllamaOptions, fakeOllama, type ScriptedAnswer } from "./fake-ollama.ts";
import { type AgentResult, type RunningAgent, runAgent, startAgent } from "./spawn.ts";
import { type TempDir, tempDir } from "./temp.ts";

export interface RunOptions {
  readonly stdin?: string | Uint8Array | { readonly open: string };
  readonly env?: Readonly<Record<string, string>>;
  readonly stdout?: number;
  /** Default: `fake`. */
  readonly model?: string;
  /** Default: the fake server's. */
  readonly host?: string;
}

export interface RunPlace extends AsyncDisposable {
  readonly server: FakeOllama;
  /** The working directory. */
  readonly dir: TempDir;
  /** Runs `agent run` to its end. */
  run(args: readonly string[], options?: RunOptions): Promise<AgentResult>;
  /** Starts `agent run`. */
  start(args: readonly string[], options?: RunOptions): RunningAgent;
  /** Paths of the session files in the store, oldest first. */
  sessions(): readonly string[];
  /** The lines of the only session file in the store. */
  session(): readonly Record<string, unknown>[];
}

/** A server with these answers, and a directory; both gone at the end of the block. */
export async function runPlace(
  answers: readonly ScriptedAnswer[] = [],
  options: FakeOllamaOptions = {},
): Promise<RunPlace> {
  const server = await fakeOllama({ ...options, answers });
  const dir = tempDir();
  const home = tempDir();
  const cwd = join(dir.path, "project");
  mkdirSync(cwd);
  const place: TempDir = {
    ...dir,
    path: cwd,
    write: (name, content) => dir.write(join("project", name), content),
  };
  const call = (
    args: readonly string[],
    { model = "fake", host = server.url, stdin, env, stdout }: RunOptions = {},
  ) =>
    [
      ["run", "--host", host, "--model", model, ...args],
      {
        cwd,
        home: home.path,
        ...(stdin === undefined ? {} : { stdin }),
        ...(env === undefined ? {} : { env }),
        ...(stdout === undefined ? {} : { stdout }),
      },
    ] as const;
  const store = join(home.path, "agent", "sessions");
  const sessions = () => sessionFiles(store);
  return {
    server,
    dir: place,
    run: (args, each) => runAgent(...call(args, each)),
    start: (args, each) => startAgent(...call(args, each)),
    sessions,
    session() {
      const [path, ...others] = sessions();
      if (path === undefined || others.length > 0)
        throw new Error(`the store has ${others.length + 1} sessions`);
      return sessionLines(path);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
}

/** The lines of a session file, parsed. */
export function sessionLines(path: string): readonly Record<string, unknown>[] {
  return parseLines(readFileSync(path, "utf8"));
}

/** JSON Lines, parsed; a last line without its end counts too. */
export function parseLines(text: string): readonly Record<string, unknown>[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function sessionFiles(store: string): readonly string[] {
  try {
    return readdirSync(store, { recursive: true })
      .map((name) => join(store, String(name)))
      .filter((name) => name.endsWith(".jsonl"))
      .sort();
  } catch {
    return [];
  }
}

/** What stands on the active branch of a session file: `role` of messages, `type` of other entries, with their text. */
export function branchOutline(lines: readonly Record<string, unknown>[]): readonly string[] {
  const byId = new Map(lines.slice(1).map((line) => [line["id"], line]));
  const path: Record<string, unknown>[] = [];
  for (let at = lines.length > 1 ? lines.at(-1) : undefined; at !== undefined; at = byId.get(at["parentId"]))
    path.unshift(at);
  return path.map(outlineOf);
}

function outlineOf(line: Record<string, unknown>): string {
  const message = line["message"] as { role: string; content: unknown } | undefined;
  if (message === undefined) return String(line["customType"] ?? line["type"]);
  return `${message.role}: ${textIn(message.content)}`;
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  return (content as readonly { type: string; text?: string; name?: string }[])
    .map((block) => block.text ?? `(${block.type} ${block.name ?? ""})`)
    .join("");
}
