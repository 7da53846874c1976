// What git would not track: .gitignore files from the repository root down to each directory, and .git/info/exclude.

import * as fs from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { leadsUp } from "../../base/leads-out.ts";
import { repositoryPath } from "../../base/repository.ts";
import { readAll } from "./content.ts";
import { type OpenDirectory, openChildFile } from "./open.ts";

/** The rules that hold in a directory: those of the directories above it, nearest last. */
export interface IgnoreRules {
  /** The rules for what is in a directory below, its own `.gitignore` added. */
  enter(directory: OpenDirectory): IgnoreRules;
  ignores(path: string, isDirectory: boolean): boolean;
}

interface Layer {
  readonly directory: string;
  readonly rules: Ignore;
}

const MAX_BYTES = 1_000_000;

/**
 * The rules that hold at a directory because of those above it, up to the repository root. In one that they exclude itself
 * they do not hold: who looks there means it.
 */
export function ignoreRulesAbove(directory: string): IgnoreRules {
  const path = repositoryPath(directory);
  if (path === undefined) return rulesOf([]);
  const rules = rulesOf([...excludeOf(path), ...path.slice(1).toReversed().flatMap(gitignoreOf)]);
  return rules.ignores(directory, true) ? rulesOf([]) : rules;
}

/** Whether the file at this real path, there or not yet, stands in a repository and nothing in it makes git ignore it. */
export function wouldBeAdded(path: string): boolean {
  const above = repositoryPath(dirname(path));
  if (above === undefined) return false;
  const rules = rulesOf([...excludeOf(above), ...above.toReversed().flatMap(gitignoreOf)]);
  return !rules.ignores(path, false) && !above.some((directory) => rules.ignores(directory, true));
}

/** What `.git/info/exclude` of the repository says, whose root is the last directory. */
function excludeOf(path: readonly string[]): readonly Layer[] {
  const root = path.at(-1) ?? "";
  return layerOf(root, readPath(join(root, ".git", "info", "exclude")));
}

function gitignoreOf(directory: string): readonly Layer[] {
  return layerOf(directory, readPath(join(directory, ".gitignore")));
}

function rulesOf(layers: readonly Layer[]): IgnoreRules {
  return {
    enter: (directory) => {
      const added = layerOf(directory.path, readMember(directory));
      return added.length === 0 ? rulesOf(layers) : rulesOf([...layers, ...added]);
    },
    ignores(path, isDirectory) {
      for (const layer of layers.toReversed()) {
        const inside = relative(layer.directory, path).split(sep).join("/");
        if (inside === "" || leadsUp(inside)) continue;
        const verdict = layer.rules.test(isDirectory ? `${inside}/` : inside);
        if (verdict.ignored) return true;
        if (verdict.unignored) return false;
      }
      return false;
    },
  };
}

function layerOf(directory: string, text: string | undefined): readonly Layer[] {
  return text === undefined ? [] : [{ directory, rules: ignore({ allowRelativePaths: true }).add(text) }];
}

function readPath(file: string): string | undefined {
  try {
    if (!fs.lstatSync(file).isFile()) return undefined;
    return fs.readFileSync(file, "utf8").slice(0, MAX_BYTES);
  } catch {
    return undefined;
  }
}

function readMember(directory: OpenDirectory): string | undefined {
  try {
    using file = openChildFile(directory, ".gitignore");
    if (file === undefined) return undefined;
    const bytes = readAll(file.fd, MAX_BYTES);
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}
