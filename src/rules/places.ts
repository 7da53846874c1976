// Where rules are looked for, highest priority first. One row a place; what other tools call their rules is here too.

import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { directoriesUp } from "../base/repository.ts";
import { userConfigPath } from "../settings/layers.ts";

export interface PlacesRequest {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--rules`, in order; as given. */
  readonly rulesDirs: readonly string[];
  /** Whether links may lead from a project's places out of it. Left out: they may. */
  readonly trusted?: () => boolean;
}

/** The source of rules that `--rules` names. */
export const NAMED_SOURCE = "--rules";

/** A directory (or, for `.clinerules`, a file) that may hold rules. */
export interface Place {
  readonly source: string;
  readonly path: string;
  /** Given by name: its absence is an error. */
  readonly required: boolean;
  /** Endings of its rule files. */
  readonly endings: readonly string[];
  /** Set for places of a project: the directory that links must not lead out of. */
  readonly project?: string;
}

const MARKDOWN = [".md", ".mdc"];

/** Places of a project. `above`: those between the working directory and the repository root count too. */
const PROJECT_PLACES: readonly { readonly path: string; readonly endings: readonly string[] }[] = [
  { path: ".agents/rules", endings: MARKDOWN },
  { path: ".claude/rules", endings: MARKDOWN },
  { path: ".cursor/rules", endings: [".mdc", ".md"] },
  { path: ".windsurf/rules", endings: MARKDOWN },
  { path: ".clinerules", endings: MARKDOWN },
  { path: ".github/instructions", endings: [".instructions.md"] },
];

/** All places, in the order in which their rules win. A project's places are looked for from `cwd` up to its root. */
export function rulePlaces(request: PlacesRequest): readonly Place[] {
  const { cwd, home, env, rulesDirs } = request;
  const directories = directoriesUp(cwd);
  const project = projectRoot(cwd);
  const inProject = (path: string, endings: readonly string[]): readonly Place[] =>
    directories.map((directory) => ({
      project,
      source: path,
      path: join(directory, path),
      required: false,
      endings,
    }));
  const user = userConfigPath(home, env);
  return [
    ...rulesDirs.map((dir) => ({
      source: NAMED_SOURCE,
      path: resolve(cwd, dir),
      required: true,
      endings: MARKDOWN,
    })),
    ...inProject(".agent/rules", MARKDOWN),
    ...inProject(".omp/rules", MARKDOWN),
    ...(user === undefined
      ? []
      : [{ source: "user", path: join(dirname(user), "rules"), required: false, endings: MARKDOWN }]),
    ...PROJECT_PLACES.flatMap(({ path, endings }) => inProject(path, endings)),
  ];
}

/** The root of the repository that `cwd` is in, else `cwd`. */
export function projectRoot(cwd: string): string {
  return directoriesUp(cwd).at(-1) ?? cwd;
}

/**
 * Gives a file's path for people and models: relative to the project, `~/…` below the home directory, else relative to
 * the folder that its place is in; never absolute.
 */
export function displayPaths({ cwd, home }: PlacesRequest): (file: string, place: Place) => string {
  const root = projectRoot(cwd);
  return (file, place) => {
    const inProject = within(root, file);
    if (inProject !== undefined) return inProject;
    const inHome = home === "" ? undefined : within(home, file);
    if (inHome !== undefined) return `~/${inHome}`;
    return relative(dirname(place.path), file).replaceAll(sep, "/");
  };
}

function within(directory: string, file: string): string | undefined {
  const path = relative(directory, file);
  const outside = path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
  return outside ? undefined : path.replaceAll(sep, "/");
}
