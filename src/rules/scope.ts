// The words of `scope`: where a rule looks.

import { nearest } from "../base/nearest.ts";
import { splitList, unquote } from "./front-matter-lines.ts";
import type { RuleScope } from "./rule.ts";

/** What a rule watches that does not say: text and all tools. */
export const DEFAULT_SCOPE: readonly RuleScope[] = [{ kind: "text" }, { kind: "tool" }];

export const SCOPE_FORMS = "text, thinking, tool, tool:NAME or tool:NAME(GLOB)";

/** The words of a text in a scope: several stand with commas; quotes that were meant for YAML are taken off. */
export function scopeWords(text: string): readonly string[] {
  return splitList(unquote(text.trim())).map((word) => unquote(word));
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

/** Whether a scope's tool is one of these; case does not matter, here as in a run. */
export function isTool(name: string, tools: readonly string[]): boolean {
  return tools.some((tool) => tool.toLowerCase() === name.toLowerCase());
}

/** What somebody probably meant who named a tool that is none of these. */
export function toolAdvice(name: string, tools: readonly string[]): string {
  const near = nearest(name, tools);
  return near === undefined
    ? `the tools here are ${tools.join(", ")}; others are set in the settings (tools)`
    : `did you mean "${near}"?`;
}
