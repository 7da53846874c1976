// The words of `scope`: where a rule looks.

import { splitList, unquote } from "./front-matter-lines.ts";
import type { RuleScope } from "./rule.ts";

/** What a rule watches that does not say: text and all tools. */
export const DEFAULT_SCOPE: readonly RuleScope[] = [{ kind: "text" }, { kind: "tool" }];

export const SCOPE_FORMS = "text, thinking, tool, tool:NAME or tool:NAME(GLOB)";

/** The words of a scope: each text may have several, with commas; quotes that were meant for YAML are taken off. */
export function scopeWords(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => splitList(unquote(text.trim())).map((word) => unquote(word)));
}

/** One word of a scope; `undefined` if it is none. */
export function parseScope(word: string): RuleScope | undefined {
  if (word === "text" || word === "thinking") return { kind: word };
  const match = /^tool(?::([^\s(),]+))?(?:\((.*)\))?$/.exec(word);
  if (match === null) return undefined;
  const [, tool, glob] = match;
  if (glob !== undefined && glob.trim() === "") return undefined;
  return {
    kind: "tool",
    ...(tool === undefined ? {} : { tool }),
    ...(glob === undefined ? {} : { glob: glob.trim() }),
  };
}

/** A scope as it is written in a rule. */
export function renderScope(scope: RuleScope): string {
  if (scope.kind !== "tool") return scope.kind;
  const tool = scope.tool === undefined ? "tool" : `tool:${scope.tool}`;
  return scope.glob === undefined ? tool : `${tool}(${scope.glob})`;
}
