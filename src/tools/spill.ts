// Where outputs that were too long for the model are kept whole: one private directory a run, below the temporary one.

import { chmodSync, mkdtempSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { SpillDirectory } from "./workspace.ts";

/** Nothing is made until it is needed. The directory outlives the run: the session names its files. */
export function spillDirectory(env: Readonly<Record<string, string | undefined>>): SpillDirectory {
  let made: string | undefined;
  return {
    path() {
      if (made === undefined) {
        const base = env["TMPDIR"];
        made = realpathSync(mkdtempSync(join(base && isAbsolute(base) ? base : "/tmp", "agent-output-")));
        chmodSync(made, 0o700);
      }
      return made;
    },
    holds: (path) => made !== undefined && path.startsWith(`${made}/`),
  };
}
