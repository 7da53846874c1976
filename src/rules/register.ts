// From rules as they were read to rules that act in a stream: conditions that compile, scopes made into tests, the
// settings' defaults filled in. What cannot act is skipped, and every skip says where and why.

import { diagnosePattern } from "../matcher/diagnose.ts";
import type { TtsrSettings } from "../settings/settings.ts";
import { compileGlobs, type PathTest } from "./globs.ts";
import type { ContextMode, InterruptMode, RepeatMode, Rule, RuleScope } from "./rule.ts";

/** A rule that watches streams. Nothing in it is left to be looked up. */
export interface TtsrRule {
  readonly name: string;
  readonly rule: Rule;
  /** Those that compile and do not match the empty string. */
  readonly conditions: readonly string[];
  readonly watchesText: boolean;
  readonly watchesThinking: boolean;
  readonly watchesCalls: boolean;
  /** When it applies to a call of this tool; undefined: never. */
  callTest(tool: string): CallTest | undefined;
  readonly interruptMode: InterruptMode;
  readonly contextMode: ContextMode;
  readonly repeatMode: RepeatMode;
  readonly repeatGap: number;
}

/** When a rule applies to a call of a tool: always, or if the call's path passes. */
export type CallTest = { readonly kind: "always" } | { readonly kind: "path"; readonly test: PathTest };

/** Why a rule, or one of its conditions, does not act. */
export interface Skip {
  readonly rule: Rule;
  readonly line: number;
  /** One line: what was skipped, why, and the way out. */
  readonly message: string;
  /** Only a condition was dropped; the rule acts with the others. */
  readonly partial: boolean;
}

export interface Registration {
  /** In the order given, which is the order of fires at the same offset. */
  readonly rules: readonly TtsrRule[];
  readonly skips: readonly Skip[];
}

/** Registers the rules of the bucket `ttsr`. `enabled: false` in the settings registers none. */
export function registerRules(rules: readonly Rule[], settings: TtsrSettings): Registration {
  const registered: TtsrRule[] = [];
  const skips: Skip[] = [];
  if (!settings.enabled) return { rules: registered, skips };
  const names = new Set<string>();
  for (const rule of rules) {
    if (rule.conditions.length === 0 || isTurnedOff(rule, settings)) continue;
    const problem = names.has(rule.name)
      ? { key: "condition", message: "another rule of this name is registered already; rename one of them" }
      : scopeProblem(rule);
    if (problem !== undefined) {
      skips.push({ rule, line: lineOf(rule, problem.key), message: problem.message, partial: false });
      continue;
    }
    const conditions = usableConditions(rule);
    const partial = conditions.usable.length > 0;
    skips.push(...conditions.dropped.map((dropped) => ({ ...dropped, rule, partial })));
    if (!partial) continue;
    names.add(rule.name);
    registered.push(buildTtsrRule(rule, conditions.usable, settings));
  }
  return { rules: registered, skips };
}

/** True for a rule that its file or the settings turn off. */
export function isTurnedOff(rule: Rule, settings: TtsrSettings): boolean {
  return !rule.enabled || settings.disabledRules.includes(rule.name);
}

/** A skip as a warning: `path:line: rule "x": …`. */
export function renderSkip(skip: Skip): string {
  return `${skip.rule.displayPath}:${skip.line}: rule "${skip.rule.name}": ${skip.message}`;
}

/** Why the rule's scope and globs can never match, and which key says so. */
export function scopeProblem(rule: Rule): { readonly key: string; readonly message: string } | undefined {
  if (rule.scope.length === 0) {
    return {
      key: "scope",
      message: "its scope can never match; use text, thinking, tool, tool:NAME or tool:NAME(GLOB)",
    };
  }
  if (rule.globs.length > 0 && !rule.scope.some(({ kind }) => kind === "tool")) {
    return {
      key: "globs",
      message:
        "it can never fire: globs apply to tool calls, and its scope has none; add tool to scope or remove globs",
    };
  }
  return undefined;
}

interface Dropped {
  readonly line: number;
  readonly message: string;
}

function usableConditions(rule: Rule): {
  readonly usable: readonly string[];
  readonly dropped: readonly Dropped[];
} {
  const usable: string[] = [];
  const dropped: Dropped[] = [];
  rule.conditions.forEach((condition, index) => {
    const problem = conditionProblem(condition);
    if (problem === undefined) usable.push(condition);
    else dropped.push({ line: lineOf(rule, `condition.${index}`, "condition"), message: problem });
  });
  return { usable, dropped };
}

/** Why a condition cannot be used, with the way out; undefined if it can. */
export function conditionProblem(condition: string): string | undefined {
  const diagnosis = diagnosePattern(condition);
  if (diagnosis.kind === "usable") {
    return diagnosis.matchesEmpty
      ? `condition ${quoted(condition)} matches the empty string, so it would fire on anything; ask for at least one character`
      : undefined;
  }
  if (diagnosis.kind === "refused")
    return `condition ${quoted(condition)} cannot be used: ${diagnosis.message}`;
  const advice = looksLikeGlob(condition)
    ? `it looks like a file glob; write scope: tool:write(${condition}) or globs: "${condition}" instead`
    : "mend the regular expression";
  return `condition ${quoted(condition)} does not compile: ${diagnosis.message}; ${advice}`;
}

/** True for a text that is plainly meant as a file glob, such as `*.ts`. */
export function looksLikeGlob(condition: string): boolean {
  return /^\*{1,2}(\/|\.[\w{])/.test(condition) || /^(\*\*\/)?\*\.\{?[\w,]+\}?$/.test(condition);
}

function buildTtsrRule(rule: Rule, conditions: readonly string[], settings: TtsrSettings): TtsrRule {
  const onlyCalls = rule.globs.length > 0;
  const globs = onlyCalls ? compileGlobs(rule.globs) : undefined;
  const scopes = rule.scope.flatMap((scope) => (scope.kind === "tool" ? [compileScope(scope)] : []));
  return {
    name: rule.name,
    rule,
    conditions,
    watchesText: !onlyCalls && rule.scope.some(({ kind }) => kind === "text"),
    watchesThinking: !onlyCalls && rule.scope.some(({ kind }) => kind === "thinking"),
    watchesCalls: scopes.length > 0,
    callTest(tool) {
      const here = scopes.filter((scope) => scope.tool === undefined || scope.tool === tool.toLowerCase());
      if (here.length === 0) return undefined;
      if (globs === undefined && here.some(({ test }) => test === undefined)) return { kind: "always" };
      const test: PathTest = (path) =>
        here.some((scope) => scope.test?.(path) ?? true) && (globs?.(path) ?? true);
      return { kind: "path", test };
    },
    interruptMode: rule.interruptMode ?? settings.interruptMode,
    contextMode: rule.contextMode ?? settings.contextMode,
    repeatMode: rule.repeatMode ?? settings.repeatMode,
    repeatGap: rule.repeatGap ?? settings.repeatGap,
  };
}

function compileScope(scope: Extract<RuleScope, { kind: "tool" }>): {
  readonly tool: string | undefined;
  readonly test: PathTest | undefined;
} {
  return {
    tool: scope.tool?.toLowerCase(),
    test: scope.glob === undefined ? undefined : compileGlobs([scope.glob]),
  };
}

function lineOf(rule: Rule, ...keys: readonly string[]): number {
  for (const key of keys) {
    const position = rule.positions.get(key);
    if (position !== undefined) return position.line;
  }
  return 1;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
