// Prompt templates: `/name args` becomes `.agent/prompts/name.md` with its arguments filled in.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ignoredLink, leadsOut } from "../base/leads-out.ts";
import { directoriesUp } from "../base/repository.ts";

export interface Expansion {
  readonly text: string;
  readonly notice?: string;
}

/** Where templates are. `trusted`: whether links may lead from those of the project out of it. */
export interface TemplatePlaces {
  readonly cwd: string;
  readonly userDirectory: string | undefined;
  readonly trusted: () => boolean;
}

/**
 * Expands a prompt that is `/name` alone or followed by white space. Templates are looked for from the working directory
 * up to the repository root, then in `userDirectory`. Without one the text stays as it is, with a notice.
 */
export function expandTemplate(text: string, places: TemplatePlaces): Expansion {
  const { cwd, userDirectory } = places;
  const match = /^\/([A-Za-z0-9][\w-]*)(?:\s+([\s\S]*))?$/.exec(text.trim());
  if (match === null) return { text };
  const [, name = "", rest = ""] = match;
  const chain = directoriesUp(cwd);
  const directories = chain.map((directory) => join(directory, ".agent"));
  if (userDirectory !== undefined) directories.push(userDirectory);
  for (const directory of directories) {
    const path = join(directory, "prompts", `${name}.md`);
    const template = readTemplate(path);
    if (template === undefined) continue;
    const inProject = directory !== userDirectory;
    if (inProject && leadsOut(chain.at(-1) ?? cwd, path) && !places.trusted())
      return { text, notice: ignoredLink(path) };
    return { text: fillTemplate(template, rest) };
  }
  return { text, notice: `there is no template .agent/prompts/${name}.md; "/${name}" is sent as it is` };
}

function readTemplate(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) return undefined;
    return readFileSync(path, "utf8")
      .replace(/^---\r?\n[\s\S]*?\n---\r?\n/, "")
      .trim();
  } catch {
    return undefined;
  }
}

/** `$1`, `$2` … are the words of `rest`, `$@` all of it. A word that is not there is empty. */
export function fillTemplate(template: string, rest: string): string {
  const words = splitWords(rest);
  return template.replace(/\$(?:(\d+)|@)/g, (_, index: string | undefined) =>
    index === undefined ? rest.trim() : (words[Number(index) - 1] ?? ""),
  );
}

/** Words as a shell would split them: quotes keep white space, a backslash keeps what follows. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(/(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\\[\s\S]|[^\s"'\\]|["'\\])+/g)) {
    words.push(
      word.replace(
        /"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])/g,
        (_, double: string | undefined, single: string | undefined, escaped: string | undefined) =>
          double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? escaped ?? "",
      ),
    );
  }
  return words;
}
