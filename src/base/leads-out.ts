// Whether symbolic links lead from a path out of a directory: what a cloned repository could use to make files of its
// user look like its own.

import { realpathSync } from "node:fs";
import { sep } from "node:path";

/** True if the path exists and really lies outside `root`, links of both followed. */
export function leadsOut(root: string, path: string): boolean {
  try {
    const realRoot = realpathSync(root);
    const real = realpathSync(path);
    return real !== realRoot && !real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep);
  } catch {
    return false;
  }
}
