// Whether a path leads out of a directory: by its words, or by symbolic links, which a cloned repository could use to make
// files of its user look like its own.

import { sep } from "node:path";
import { realPath } from "./stat.ts";
import { escapedControls } from "./text.ts";

/** Whether a relative path leaves the directory it starts from: `../a`, not `..a`. */
export function leadsUp(path: string): boolean {
  return path === ".." || path.startsWith("../") || path.startsWith(`..${sep}`);
}

/** True if the path exists and really lies outside `root`, links of both followed. */
export function leadsOut(root: string, path: string): boolean {
  const [realRoot, real] = [realPath(root), realPath(path)];
  if (realRoot === undefined || real === undefined) return false;
  return real !== realRoot && !real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep);
}

/** What is said of a file or folder that is left out because it leads out of a project that is not trusted. */
export function ignoredLink(path: string): string {
  return `${escapedControls(path)} ignored: it is a symbolic link out of the project, which is not trusted`;
}
