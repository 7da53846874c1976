// The program's edge: argv, signals and the exit code. Everything else takes what it needs as arguments.

import { hostname } from "node:os";
import manifest from "../package.json" with { type: "json" };
import { AppError } from "./base/errors.ts";
import { runApp } from "./cli/app.ts";
import { exitCodeOf } from "./cli/exit.ts";
import { processIo } from "./cli/io.ts";

const SIGNALS = { SIGHUP: "sighup", SIGINT: "sigint", SIGTERM: "sigterm" } as const;

/** The first signal aborts, so that what was received is recorded; a second one ends the process at once. */
function signalOfProcess(): AbortSignal {
  const controller = new AbortController();
  for (const [name, kind] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(exitCodeOf(kind));
      controller.abort(new AppError(kind, `Ended by ${name}`));
    });
  }
  return controller.signal;
}

const code = await runApp({
  argv: process.argv.slice(2),
  cwd: process.cwd(),
  home: process.env["HOME"] ?? "",
  hostname: hostname(),
  pid: process.pid,
  env: process.env,
  version: manifest.version,
  signal: signalOfProcess(),
  openIo: processIo,
});
// All output was handed to the system by awaited writes, so nothing is lost here; an idle socket must not hold us.
process.exit(code);
