// The program's edge: argv, signals and the exit code. Everything else takes what it needs as arguments.

import { writeSync } from "node:fs";
import manifest from "../package.json" with { type: "json" };
import { runExitActions } from "./base/at-exit.ts";
import { AppError } from "./base/errors.ts";
import { exitCodeOf } from "./cli/exit.ts";

const SIGNALS = { SIGHUP: "sighup", SIGINT: "sigint", SIGTERM: "sigterm" } as const;

/** After a signal, how long the command may take to record and to end its children, also when nobody reads stdout. */
const GRACE_MS = 10_000;

/** The first signal aborts, so that what was received is recorded; a second one ends the process at once. */
function signalOfProcess(): AbortSignal {
  const controller = new AbortController();
  for (const [name, kind] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(exitCodeOf(kind));
      setTimeout(() => process.exit(exitCodeOf(kind)), GRACE_MS).unref();
      controller.abort(new AppError(kind, `Ended by ${name}`));
    });
  }
  return controller.signal;
}

/** Loads the program and runs the command line. */
async function runCommandLine(argv: readonly string[]): Promise<number> {
  const signal = signalOfProcess();
  const [{ runApp }, { processIo }, { hostname }] = await Promise.all([
    import("./cli/app.ts"),
    import("./cli/io.ts"),
    import("node:os"),
  ]);
  return await runApp({
    argv,
    cwd: process.cwd(),
    home: process.env["HOME"] ?? "",
    hostname: hostname(),
    pid: process.pid,
    env: process.env,
    version: manifest.version,
    signal,
    openIo: processIo,
  });
}

/** Scripts ask for the version often, so it is answered before anything is loaded; false if it cannot be written so. */
function printVersion(): boolean {
  try {
    writeSync(1, `agent ${manifest.version}\n`);
    return true;
  } catch {
    return false;
  }
}

/** Something threw where nobody was waiting for it: a bug, but never a silent one. */
function reportBug(error: unknown): void {
  const text =
    error instanceof Error ? (process.env["AGENT_DEBUG"] ? error.stack : error.message) : String(error);
  try {
    writeSync(2, `agent: bug: ${text}\n`);
  } finally {
    // Also where stderr is gone.
    process.exit(exitCodeOf("bug"));
  }
}

process.on("exit", runExitActions);
process.on("uncaughtException", reportBug);
process.on("unhandledRejection", reportBug);
const argv = process.argv.slice(2);
const isAnswered = argv.length === 1 && argv[0] === "--version" && printVersion();
const code = isAnswered ? 0 : await runCommandLine(argv);
// All output was handed to the system by awaited writes, so nothing is lost here; an idle socket must not hold us.
process.exit(code);
