// Runs the compiled binary as a user's script would: real process, real pipes, real signals.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync } from "node:fs";
import { join } from "node:path";
import { openPipe, type Pipe } from "./pipe.ts";

/** The binary under test: `AGENT_BINARY`, else `dist/agent`. */
export const AGENT_BINARY = process.env["AGENT_BINARY"] ?? join(import.meta.dir, "../../dist/agent");

export interface AgentOptions {
  readonly cwd: string;
  /** Store and settings of this run; nothing of the user's is read. */
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** For stdin, a real pipe, which is then closed. `{ open: text }`: it stays open until `endStdin()`. Left out: `/dev/null`. */
  readonly stdin?: string | Uint8Array | { readonly open: string };
  /** A descriptor in place of the pipe that is read to its end; what goes there is not in the result. */
  readonly stdout?: number;
}

export interface AgentResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningAgent {
  readonly child: ChildProcess;
  /** What has come so far. */
  stdout(): string;
  stderr(): string;
  /** Writes the rest to a stdin that was left open, and closes it. */
  endStdin(rest?: string): Promise<void>;
  readonly result: Promise<AgentResult>;
}

/** Starts the binary with a clean environment: `PATH`, `HOME` and `AGENT_HOME` below `home`, and what `env` adds. */
export function startAgent(args: readonly string[], options: AgentOptions): RunningAgent {
  if (!existsSync(AGENT_BINARY)) throw new Error("dist/agent is missing: bun run build");
  const stdin = options.stdin === undefined ? undefined : openPipe();
  const child = spawn(AGENT_BINARY, args, {
    cwd: options.cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: options.home,
      AGENT_HOME: join(options.home, "agent"),
      ...options.env,
    },
    stdio: [stdin?.readEnd ?? "ignore", options.stdout ?? "pipe", "pipe"],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  const fed = feed(stdin, options.stdin);
  const text = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString("utf8");
  const result = new Promise<AgentResult>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout: text(out), stderr: text(err) }));
  });
  const endStdin = async (rest = "") => {
    await fed;
    await stdin?.end(rest);
  };
  return { child, stdout: () => text(out), stderr: () => text(err), endStdin, result };
}

async function feed(pipe: Pipe | undefined, input: AgentOptions["stdin"]): Promise<void> {
  if (pipe === undefined || input === undefined) return;
  closeSync(pipe.readEnd);
  if (typeof input === "string" || input instanceof Uint8Array) await pipe.end(input);
  else await pipe.write(input.open);
}

/** Runs the binary to its end. */
export function runAgent(args: readonly string[], options: AgentOptions): Promise<AgentResult> {
  return startAgent(args, options).result;
}
