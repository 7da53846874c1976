// A project directory with a home of its own, in which `agent session …` is run.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type AgentResult, runAgent } from "./spawn.ts";
import { type TempDir, tempDir } from "./temp.ts";

export interface SessionPlace extends Disposable {
  readonly dir: TempDir;
  /** Runs `agent session …` in a project below the directory. */
  session(args: readonly string[], stdin?: string | Uint8Array): Promise<AgentResult>;
}

/** The place, gone at the end of the block that made it. */
export function sessionPlace(): SessionPlace {
  const dir = tempDir();
  const cwd = join(dir.path, "project");
  mkdirSync(cwd);
  return {
    dir: { ...dir, path: cwd, write: (name, content) => dir.write(`project/${name}`, content) },
    session: (args, stdin) =>
      runAgent(["session", ...args], {
        cwd,
        home: dir.path,
        env: { TZ: "UTC" },
        ...(stdin === undefined ? {} : { stdin }),
      }),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}
