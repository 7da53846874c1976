// Globs of rules, matched against the path that a tool call names.

import { relative, resolve, sep } from "node:path";
import picomatch from "picomatch";

/** Whether a path (as `normalizePath` gives it) matches. */
export type PathTest = (path: string) => boolean;

/**
 * A test for any of the globs. A glob without a slash is matched against the file name, any other against the path
 * relative to the project, or to the absolute path if the glob is absolute. A leading `!` excludes.
 */
export function compileGlobs(globs: readonly string[]): PathTest {
  const wanted = globs.filter((glob) => !glob.startsWith("!")).map(compileGlob);
  const excluded = globs.filter((glob) => glob.startsWith("!")).map((glob) => compileGlob(glob.slice(1)));
  return (path) =>
    (wanted.length === 0 || wanted.some((test) => test(path))) && !excluded.some((test) => test(path));
}

function compileGlob(glob: string): PathTest {
  const pattern = glob.replace(/^\.\//, "").replace(/\/$/, "/**");
  return picomatch(pattern, { dot: true, basename: !pattern.includes("/") });
}

/** The path of a tool call as globs see it: relative to `cwd` where it is inside, else absolute; with slashes. */
export function normalizePath(path: string, cwd: string): string {
  const inside = relative(cwd, resolve(cwd, path));
  const outside = inside === ".." || inside.startsWith(`..${sep}`);
  return (outside ? resolve(cwd, path) : inside).replaceAll(sep, "/");
}
