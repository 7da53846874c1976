// Prompt templates: `/name args` becomes `.agent/prompts/name.md` with its arguments filled in.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { directoriesToRoot } from "../agent/context-files.ts";

export interface Expansion {
  readonly text: string;
  readonly notice?: string;
}

/**
 * Expands a prompt that is `/name` alone or followed by white space. Templates are looked for from the working directory
 * up to the repository root, then in `userDirectory`. Without one the text stays as it is, with a notice.
 */
export function expandTemplate(text: string, cwd: string, userDirectory: string | undefined): Expansion {
  const match = /^\/([A-Za-z0-9][\w-]*)(?:\s+([\s\S]*))?$/.exec(text.trim());
  if (match === null) return { text };
  const [, name = "", rest = ""] = match;
  const directories = [
    ...directoriesToRoot(cwd)
      .toReversed()
      .map((directory) => join(directory, ".agent")),
  ];
  if (userDirectory !== undefined) directories.push(userDirectory);
  for (const directory of directories) {
    const template = readTemplate(join(directory, "prompts", `${name}.md`));
    if (template !== undefined) return { text: fillTemplate(template, rest) };
  }
  return { text, notice: `there is no template .agent/prompts/${name}.md; "/${name}" is sent as it is` };
}

function readTemplate(path: string): string | undefined {
  try {
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
