// Starts a program contained: its own session and process group, no terminal, a given environment, bounded waiting. The
// call ends when the program ends, also when something it left behind keeps its output open.

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { codeOf } from "../../base/errors.ts";
import { startTimer } from "../../base/timer.ts";
import { MARKER } from "./environment.ts";
import { openOutputPipe } from "./output-pipe.ts";
import { canFindProcesses, endTree, findProcesses, type ProcessTree } from "./tree.ts";

export interface ProgramRequest {
  /** Argument vector; no shell is involved. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Begins the marker of every process, so that those of a run are found together. */
  readonly runMarker: string;
  /** Text for stdin, which is then closed. Left out: `/dev/null`. */
  readonly input?: string;
  /** Open descriptors that the program gets as 3, 4, …; they stay the caller's to close. */
  readonly descriptors?: readonly number[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Whether processes that outlive the program may go on until the run ends. */
  readonly keepBackground: boolean;
  readonly onStdout: (text: string) => void;
  /** Left out: both streams come to `onStdout`, in the order of writing. */
  readonly onStderr?: (text: string) => void;
}

export interface ProgramEnd {
  /** `exited`: by itself; `code` is 128 + n for signal n. `unstartable`: `reason` says why. */
  readonly how: "exited" | "timeout" | "aborted" | "unstartable";
  readonly code: number | undefined;
  readonly signal: string | undefined;
  readonly reason: string | undefined;
  readonly durationMs: number;
  /** Processes that go on in the background. */
  readonly background: readonly number[];
}

/** How long to wait for output after the program ended: without any, and at most. */
interface Patience {
  readonly silenceMs: number;
  readonly totalMs: number;
}

/** Nobody is left to write: what is still in the pipe comes, and then its end. */
const TO_THE_END: Patience = { silenceMs: 2_000, totalMs: 2_000 };
/** What goes on in the background may never close the pipe, and may talk for ever. */
const FOR_THE_REST: Patience = { silenceMs: 150, totalMs: 1_000 };

/** Never rejects. When it resolves, the program has ended and its last output was given. */
export async function runProgram(request: ProgramRequest): Promise<ProgramEnd> {
  const startedAt = performance.now();
  const marker = `${request.runMarker}.${randomBytes(6).toString("hex")}`;
  const end = (rest: Partial<ProgramEnd> & Pick<ProgramEnd, "how">): ProgramEnd => ({
    code: undefined,
    signal: undefined,
    reason: undefined,
    background: [],
    durationMs: Math.round(performance.now() - startedAt),
    ...rest,
  });
  const [program = ""] = request.command;
  let started: Started;
  try {
    started = startProgram(request, marker);
  } catch (error) {
    return end({ how: "unstartable", reason: startFailure(error, program) });
  }
  const { child, outputs } = started;
  child.stdin?.on("error", () => {});
  child.stdin?.end(request.input);
  const tree: ProcessTree = { marker, group: child.pid };
  const outcome = await waitForEnd(child, request);
  if (outcome.how === "unstartable")
    return end({ how: "unstartable", reason: startFailure(outcome.error, program) });
  const keep = outcome.how === "exited" && request.keepBackground;
  if (!keep) await endTree(tree);
  const remains = keep && findProcesses(tree).length > 0;
  const patience = remains || !canFindProcesses() ? FOR_THE_REST : TO_THE_END;
  await Promise.all(outputs.map((output) => output.settle(patience)));
  child.unref();
  const { code, signal } = outcome.how === "exited" ? outcome : { code: undefined, signal: undefined };
  return end({ how: outcome.how, code, signal, background: remains ? findProcesses(tree) : [] });
}

interface Started {
  readonly child: ChildProcess;
  readonly outputs: readonly Listening[];
}

/** Throws what `spawn` throws. */
function startProgram(request: ProgramRequest, marker: string): Started {
  const { onStdout, onStderr } = request;
  const options = { cwd: request.cwd, env: { ...request.env, [MARKER]: marker }, detached: true };
  const input = request.input === undefined ? "ignore" : "pipe";
  const descriptors = request.descriptors ?? [];
  const start = ([program = "", ...args]: readonly string[], output: readonly ("pipe" | number)[]) =>
    spawn(program, args, { ...options, stdio: [input, ...output, ...descriptors] });
  if (onStderr !== undefined) {
    const child = start(request.command, ["pipe", "pipe"]);
    return { child, outputs: [listen(child.stdout, onStdout), listen(child.stderr, onStderr)] };
  }
  using pipe = openOutputPipe(request.env["PATH"] ?? "");
  if (pipe !== undefined) {
    const child = start(request.command, [pipe.writeEnd, pipe.writeEnd]);
    return { child, outputs: [listen(pipe.output, onStdout)] };
  }
  const child = start(["/bin/sh", "-c", JOINED, ...request.command], ["pipe", "pipe"]);
  return { child, outputs: [listen(child.stdout, onStdout), listen(child.stderr, onStdout)] };
}

/** Makes both streams one before the program begins. */
const JOINED = 'exec 2>&1; exec "$0" "$@"';

type Outcome =
  | { readonly how: "exited"; readonly code: number | undefined; readonly signal: string | undefined }
  | { readonly how: "timeout" | "aborted" }
  | { readonly how: "unstartable"; readonly error: unknown };

function waitForEnd(child: ChildProcess, request: ProgramRequest): Promise<Outcome> {
  return new Promise((resolve) => {
    const done = (outcome: Outcome) => {
      stopTimer();
      request.signal.removeEventListener("abort", abort);
      resolve(outcome);
    };
    const abort = () => done({ how: "aborted" });
    const stopTimer = startTimer(request.timeoutMs, () => done({ how: "timeout" }));
    child.on("error", (error) => done({ how: "unstartable", error }));
    child.on("exit", (code, signal) => {
      const number = signal === null ? undefined : SIGNAL_NUMBERS.get(signal);
      done({
        how: "exited",
        code: code ?? (number === undefined ? undefined : 128 + number),
        signal: signal ?? undefined,
      });
    });
    if (request.signal.aborted) abort();
    else request.signal.addEventListener("abort", abort, { once: true });
  });
}

interface Listening {
  /** Resolves when the stream has ended, or when patience has; later output is dropped. */
  settle(patience: Patience): Promise<void>;
}

/** Reads a stream as UTF-8. A character that is cut between chunks, or at the end, becomes no other one. */
function listen(stream: Readable | null, take: (text: string) => void): Listening {
  if (stream === null) return { settle: () => Promise.resolve() };
  const give = (text: string) => {
    if (text !== "") take(text);
  };
  const decoder = new TextDecoder();
  let open = true;
  let lastData = 0;
  let ended = false;
  const onEnd: (() => void)[] = [];
  stream.on("data", (chunk: Uint8Array) => {
    lastData = performance.now();
    if (open) give(decoder.decode(chunk, { stream: true }));
  });
  const finish = () => {
    ended = true;
    for (const action of onEnd) action();
  };
  stream.on("close", finish);
  stream.on("end", finish);
  stream.on("error", finish);
  return {
    async settle({ silenceMs, totalMs }) {
      const began = performance.now();
      lastData = began;
      for (let now = began; !ended && now - lastData < silenceMs && now - began < totalMs; ) {
        await endOrPause(onEnd);
        now = performance.now();
      }
      if (open) give(decoder.decode());
      open = false;
    },
  };
}

const POLL_MS = 30;

function endOrPause(onEnd: (() => void)[]): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, POLL_MS);
    onEnd.push(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function startFailure(error: unknown, program: string): string {
  switch (codeOf(error)) {
    case "ENOENT":
      return `${program}: no such program (or the working directory is gone)`;
    case "EACCES":
      return `${program}: not executable`;
    case "E2BIG":
      return `${program}: the arguments are too long`;
    case "ERR_INVALID_ARG_VALUE":
      return `${program}: an argument holds a NUL character`;
    default:
      return `${program}: ${codeOf(error) ?? String(error)}`;
  }
}

const SIGNAL_NUMBERS: ReadonlyMap<string, number> = new Map([
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGQUIT", 3],
  ["SIGILL", 4],
  ["SIGABRT", 6],
  ["SIGBUS", 7],
  ["SIGFPE", 8],
  ["SIGKILL", 9],
  ["SIGSEGV", 11],
  ["SIGPIPE", 13],
  ["SIGALRM", 14],
  ["SIGTERM", 15],
]);
