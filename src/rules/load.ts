// Finding and reading all rules. One name, one rule in force: the first place wins, and what it shadows is told.

import * as fs from "node:fs";
import { basename, join } from "node:path";
import { AppError } from "../base/errors.ts";
import { ignoredLink, leadsOut } from "../base/leads-out.ts";
import { entriesIn, realPath, statOf } from "../base/stat.ts";
import { reasonOf } from "../base/system-error.ts";
import { escapedControls } from "../base/text.ts";
import { decodeRule } from "./decode-rule.ts";
import { FILE_START, type Problem, type RuleFile } from "./finding.ts";
import { parseFrontMatter } from "./front-matter.ts";
import { displayPaths, type Place, type PlacesRequest, rulePlaces } from "./places.ts";
import type { Rule } from "./rule.ts";

/** A rule that is not in force because another of its name was found first. */
export interface ShadowedRule {
  readonly rule: Rule;
  readonly by: Rule;
}

/** A rule file that could not be read. */
export interface UnreadableRule {
  readonly name: string;
  readonly file: string;
  readonly displayPath: string;
  /** The place it was found in, as of a rule. */
  readonly source: string;
  readonly problem: Problem;
}

export interface LoadedRules {
  /** In force, in order of priority; names are unique. Turned-off rules are among them. */
  readonly rules: readonly Rule[];
  readonly shadowed: readonly ShadowedRule[];
  /** Every file that was read, in order, with what reading it found. */
  readonly files: readonly RuleFile[];
  readonly unreadable: readonly UnreadableRule[];
  /** Links that were not followed, one line each. */
  readonly ignored: readonly string[];
  /** Those links, named places without rules, and, with file and line, what of a file could not be taken as it stands. */
  readonly warnings: readonly string[];
}

export const NO_RULES: LoadedRules = {
  rules: [],
  shadowed: [],
  files: [],
  unreadable: [],
  ignored: [],
  warnings: [],
};

/** Nobody writes a longer rule; a file of another kind is not read whole. */
const MAX_BYTES = 1_048_576;
/** A folder that is nested deeper is not looked into. */
const MAX_DEPTH = 16;

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/** Loads the rules of every place. Rejects with `AppError` (`notFound`) for a `--rules` directory that is not there. */
export async function loadRules(request: PlacesRequest): Promise<LoadedRules> {
  return await loadPlaces(rulePlaces(request), request);
}

/** Loads the rules of these places only; earlier ones win. */
export async function loadPlaces(places: readonly Place[], request: PlacesRequest): Promise<LoadedRules> {
  const files: RuleFile[] = [];
  const unreadable: UnreadableRule[] = [];
  const seen = new Set<string>();
  const ignored: string[] = [];
  const empty: string[] = [];
  const pathOf = displayPaths(request);
  for (const place of places) {
    const leavesProject = outsideOf(place, request, ignored);
    const isNew = !seen.has(realPath(place.path) ?? "");
    const found = ruleFilesOf(place, { seen, leavesProject });
    if (place.required && isNew && found.length === 0) empty.push(emptyWarning(place));
    for (const file of found) {
      const path = pathOf(file, place);
      const read = readRuleText(file);
      if (read.ok) {
        const origin = { name: stemOf(file), file, displayPath: path, source: place.source };
        files.push(decodeRule(await parseFrontMatter(read.text), origin));
      } else {
        const { source } = place;
        unreadable.push({ name: stemOf(file), file, displayPath: path, source, problem: read.problem });
      }
    }
  }
  const loaded = assemble(files, unreadable, ignored);
  return { ...loaded, warnings: [...empty, ...loaded.warnings] };
}

/** A place that was given by name is there for its rules. */
function emptyWarning({ path, endings }: Place): string {
  return `"${path}" has no rules: no file in it ends in ${endings.join(" or ")}`;
}

/** Tells links that lead out of a project which is not trusted, and notes them as warnings. */
function outsideOf(place: Place, { trusted }: PlacesRequest, ignored: string[]): (path: string) => boolean {
  return (path) => {
    const { project } = place;
    if (project === undefined || !leadsOut(project, path) || trusted === undefined || trusted()) return false;
    ignored.push(ignoredLink(path));
    return true;
  };
}

function assemble(
  files: readonly RuleFile[],
  unreadable: readonly UnreadableRule[],
  ignored: readonly string[],
): LoadedRules {
  const inForce = new Map<string, Rule>();
  const shadowed: ShadowedRule[] = [];
  for (const { rule } of files) {
    const by = inForce.get(rule.name);
    if (by === undefined) inForce.set(rule.name, rule);
    else shadowed.push({ rule, by });
  }
  const warnings = [
    ...ignored,
    ...files.flatMap(({ rule, problems }) =>
      problems.map((problem) => renderProblem(rule.displayPath, problem)),
    ),
    ...unreadable.map(({ displayPath: path, problem }) => renderProblem(path, problem)),
  ];
  return { rules: [...inForce.values()], shadowed, files, unreadable, ignored, warnings };
}

/** A problem as a warning: `path:line: …`. */
export function renderProblem(path: string, { position, message, fix }: Problem): string {
  return escapedControls(`${path}:${position.line}: ${message}; ${fix}`);
}

interface Search {
  /** Real paths of what was taken. */
  readonly seen: Set<string>;
  readonly leavesProject: (path: string) => boolean;
}

/** The rule files of a place, each file of the system once; sorted by path, links to folders followed once. */
function ruleFilesOf(place: Place, { seen, leavesProject }: Search): readonly string[] {
  const stat = statOf(place.path);
  if (stat === undefined && place.required) {
    throw new AppError("notFound", `Cannot read rules of "${place.path}": no such file or directory`);
  }
  const found: string[] = [];
  const take = (path: string, real: string | undefined): void => {
    if (real === undefined || seen.has(real)) return;
    seen.add(real);
    found.push(path);
  };
  const takeLink = (path: string): void => {
    if (!leavesProject(path)) take(path, realPath(path));
  };
  const walk = (directory: string, depth: number): void => {
    const real = realPath(directory);
    if (real === undefined || seen.has(real) || depth > MAX_DEPTH || leavesProject(directory)) return;
    seen.add(real);
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      const isLink = entry.isSymbolicLink();
      const kind = isLink ? statOf(path) : entry;
      if (kind?.isDirectory()) walk(path, depth + 1);
      else if (!kind?.isFile() || !place.endings.some((ending) => entry.name.endsWith(ending))) continue;
      else if (isLink) takeLink(path);
      // What is no link is where its directory is: nothing to look up.
      else take(path, join(real, entry.name));
    }
  };
  if (stat?.isDirectory()) walk(place.path, 0);
  else if (stat?.isFile()) takeLink(place.path);
  return found;
}

function entriesOf(directory: string): readonly fs.Dirent[] {
  return entriesIn(directory).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

type TextRead =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: Problem };

function readRuleText(file: string): TextRead {
  const problem = (message: string, fix: string): TextRead => ({
    ok: false,
    problem: { code: "R014", position: FILE_START, message, fix },
  });
  try {
    if (fs.statSync(file).size > MAX_BYTES) {
      return problem("the file is larger than 1 MiB and was not read", "a rule is a short text; split it");
    }
    return { ok: true, text: UTF_8.decode(fs.readFileSync(file)) };
  } catch (error) {
    return error instanceof TypeError
      ? problem("the file is not UTF-8 and was not read", "save it as UTF-8")
      : problem(`the file cannot be read: ${reasonOf(error)}`, "check its permissions");
  }
}

/** The name of a rule: its file's name without the ending; `.clinerules` is `clinerules`. */
function stemOf(file: string): string {
  return basename(file)
    .replace(/^\.+/, "")
    .replace(/\.(md|mdc)$/, "");
}
