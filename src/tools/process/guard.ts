// The last resort: ends what a run started when the process ends. On exit this process does it itself; a small shell in a
// session of its own waits on a pipe from us and does it if we were killed (SIGKILL, out of memory) and could not.

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { atExit } from "../../base/at-exit.ts";
import { MARKER } from "./environment.ts";
import { killTree } from "./tree.ts";

/** The processes of one run. `start` is called before the first of them. */
export interface RunProcesses {
  /** Begins the marker of every process of the run. */
  readonly marker: string;
  start(): void;
}

/** Ends when it reads a line (we ended well), or kills every marked process when the pipe closes without one. */
const GUARD_SCRIPT = `
read -r line && exit 0
for round in 1 2 3; do
  found=$(grep -lF -- "$1" /proc/[0-9]*/environ 2>/dev/null)
  [ -n "$found" ] || exit 0
  for file in $found; do pid=\${file#/proc/}; kill -KILL "\${pid%/environ}" 2>/dev/null; done
done
`;

export function runProcesses(): RunProcesses {
  const marker = randomBytes(8).toString("hex");
  let started = false;
  return {
    marker,
    start() {
      if (started) return;
      started = true;
      const guard = existsSync("/proc/self/environ") ? startGuard(marker) : undefined;
      atExit(() => {
        killTree({ marker, group: undefined });
        guard?.stdin?.write("done\n");
      });
    },
  };
}

/** The marker is an argument, not a variable, so that the guard does not find itself. */
function startGuard(marker: string): ChildProcess | undefined {
  const guard = spawn("/bin/sh", ["-c", GUARD_SCRIPT, "sh", `${MARKER}=${marker}`], {
    detached: true,
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.on("error", () => {});
  guard.stdin?.on("error", () => {});
  guard.unref();
  return guard;
}
