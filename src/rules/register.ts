// From rules as they were read to rules that act in a stream: conditions that compile, scopes made into tests, the
// settings' defaults filled in. What cannot act is skipped, and every skip says where and why.

import { escapedControls } from "../base/text.ts";
import type { TtsrSettings } from "../settings/settings.ts";
import { conditionFault } from "./condition.ts";
import { splitList } from "./front-matter-lines.ts";
import { compileGlobs, type PathTest } from "./globs.ts";
import type { ContextMode, InterruptMode, RepeatMode, Rule, RuleScope } from "./rule.ts";
import { SCOPE_FORMS } from "./scope.ts";

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

const NAME_TAKEN = {
  key: "condition",
  message: "another rule of this name is registered already",
  fix: "rename one of them",
};

/** Registers the rules of the bucket `ttsr`. `enabled: false` in the settings registers none. */
export function registerRules(rules: readonly Rule[], settings: TtsrSettings): Registration {
  const registered: TtsrRule[] = [];
  const skips: Skip[] = [];
  if (!settings.enabled) return { rules: registered, skips };
  const names = new Set<string>();
  for (const rule of rules) {
    if (rule.conditions.length === 0 || isTurnedOff(rule, settings)) continue;
    const fault = names.has(rule.name) ? NAME_TAKEN : scopeFault(rule);
    if (fault !== undefined) {
      const message = `${fault.message}; ${fault.fix}`;
      skips.push({ rule, line: lineOf(rule, fault.key), message, partial: false });
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
function isTurnedOff(rule: Rule, settings: TtsrSettings): boolean {
  return !rule.enabled || settings.disabledRules.includes(rule.name);
}

/** A skip as a warning: `path:line: rule "x": …`. */
export function renderSkip(skip: Skip): string {
  const { displayPath, name } = skip.rule;
  return escapedControls(`${displayPath}:${skip.line}: rule "${name}": ${skip.message}`);
}

/** Why the rule's scope and globs can never match, which key says so, and the way out. */
export function scopeFault(
  rule: Rule,
): { readonly key: string; readonly message: string; readonly fix: string } | undefined {
  if (rule.scope.length === 0) {
    return { key: "scope", message: "its scope can never match", fix: `write ${SCOPE_FORMS}` };
  }
  if (rule.globs.length > 0 && !rule.scope.some(({ kind }) => kind === "tool")) {
    return {
      key: "globs",
      message: "it can never fire: globs apply to tool calls, and its scope has none",
      fix: "add tool to scope, or remove globs",
    };
  }
  for (const scope of rule.scope) if (!isUnreachable(scope, rule.globs)) return undefined;
  return {
    key: "scope",
    message: "it can never fire: a call of bash has no path that a glob could match",
    fix: "write tool:bash, and put the command into the condition",
  };
}

/** Whether a scope has no stream that the rule could fire in: text and thinking have no path, and no command has. */
function isUnreachable(scope: RuleScope, globs: readonly string[]): boolean {
  if (scope.kind !== "tool") return globs.length > 0;
  return scope.tool?.toLowerCase() === "bash" && (scope.glob !== undefined || globs.length > 0);
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
    const fault = conditionFault(condition);
    if (fault === undefined) usable.push(condition);
    else {
      const line = lineOf(rule, `condition.${index}`, "condition");
      dropped.push({ line, message: `${fault.message}; ${fault.fix}` });
    }
  });
  return { usable, dropped };
}

function buildTtsrRule(rule: Rule, conditions: readonly string[], settings: TtsrSettings): TtsrRule {
  const onlyCalls = rule.globs.length > 0;
  const kinds = new Set(rule.scope.map(({ kind }) => kind));
  return {
    name: rule.name,
    rule,
    conditions,
    watchesText: !onlyCalls && kinds.has("text"),
    watchesThinking: !onlyCalls && kinds.has("thinking"),
    watchesCalls: kinds.has("tool"),
    callTest: callTestOf(rule),
    interruptMode: rule.interruptMode ?? settings.interruptMode,
    contextMode: rule.contextMode ?? settings.contextMode,
    repeatMode: rule.repeatMode ?? settings.repeatMode,
    repeatGap: rule.repeatGap ?? settings.repeatGap,
  };
}

/** Globs are compiled when the first call comes. */
function callTestOf(rule: Rule): TtsrRule["callTest"] {
  const globs = rule.globs.length === 0 ? undefined : lazy(() => compileGlobs(rule.globs));
  const scopes = lazy(() =>
    rule.scope.flatMap((scope) => (scope.kind === "tool" ? [compileScope(scope)] : [])),
  );
  return (tool) => {
    const here = scopes().filter((scope) => scope.tool === undefined || scope.tool === tool.toLowerCase());
    if (here.length === 0) return undefined;
    if (globs === undefined && here.some(({ test }) => test === undefined)) return { kind: "always" };
    const test: PathTest = (path) =>
      here.some((scope) => scope.test?.()(path) ?? true) && (globs?.()(path) ?? true);
    return { kind: "path", test };
  };
}

interface CompiledScope {
  readonly tool: string | undefined;
  readonly test: (() => PathTest) | undefined;
}

function compileScope({ tool, glob }: Extract<RuleScope, { kind: "tool" }>): CompiledScope {
  const test = glob === undefined ? undefined : lazy(() => compileGlobs(splitList(glob)));
  return { tool: tool?.toLowerCase(), test };
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function lineOf(rule: Rule, ...keys: readonly string[]): number {
  for (const key of keys) {
    const position = rule.positions.get(key);
    if (position !== undefined) return position.line;
  }
  return 1;
}
