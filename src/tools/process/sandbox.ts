// Commands inside bubblewrap (Linux): the file system read-only but for the write grants, a private /tmp, processes of
// their own, no network unless it is granted.

import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { AppError } from "../../base/errors.ts";
import { covers } from "../permissions/decide.ts";
import { cleanEnvironment, untrustedPlaces } from "./environment.ts";
import { findInPath, systemFirst } from "./find-program.ts";
import { type SandboxPlace, sandboxMounts } from "./sandbox-mounts.ts";

/** A command inside the sandbox, to be disposed of when it has ended. */
export interface Sandboxed extends Disposable {
  /** Argument vector. */
  readonly command: readonly string[];
}

/** For a command that is started now: what is mounted is judged by what is there. */
export function sandboxed(command: readonly string[], place: SandboxPlace): Sandboxed {
  const { options, made } = sandboxMounts(place);
  return {
    command: [bubblewrapOf(place) ?? "bwrap", ...options, "--", ...command],
    [Symbol.dispose]: () => made.forEach(removeIfEmpty),
  };
}

function removeIfEmpty(directory: string): void {
  try {
    fs.rmdirSync(directory);
  } catch {
    return;
  }
}

/** From `PATH`, the system's first, and never one that a command before could have made. */
function bubblewrapOf(place: SandboxPlace): string | undefined {
  const { env, permissions } = place;
  const { PATH = "" } = cleanEnvironment(env, permissions.env);
  const untrusted = untrustedPlaces(place);
  return findInPath("bwrap", systemFirst(PATH), (path) => !covers(untrusted, path, permissions.foldCase));
}

/** Throws `AppError` (`failed`) where bubblewrap is missing or the system does not let it work. */
export function demandSandbox(place: SandboxPlace): void {
  using box = sandboxed(["/bin/true"], place);
  const [program = "", ...args] = box.command;
  const env = cleanEnvironment(place.env, []);
  const trial = spawnSync(program, args, { env, cwd: place.cwd, encoding: "utf8", timeout: 20_000 });
  if (trial.status === 0) return;
  const why =
    trial.error === undefined
      ? trial.stderr.trim() || `it ended with ${trial.status ?? trial.signal}`
      : "bubblewrap (bwrap) is not installed";
  throw new AppError("failed", `--sandbox cannot be used here: ${why}`, {
    hint: "Install bubblewrap and allow unprivileged user namespaces, or run without --sandbox.",
  });
}
