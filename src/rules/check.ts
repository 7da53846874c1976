// Linting rules: everything that can be said about them before a model writes a word.

import type { TtsrSettings } from "../settings/settings.ts";
import { conditionDoubts, conditionFault } from "./condition.ts";
import { exampleFaults, firesOn } from "./examples.ts";
import { FINDINGS, type FindingCode, type Problem } from "./finding.ts";
import type { LoadedRules } from "./load.ts";
import { registerRules, scopeFault, type TtsrRule } from "./register.ts";
import type { Position, Rule, RuleSeverity } from "./rule.ts";
import { isTool, renderScope, toolAdvice } from "./scope.ts";

/** One finding, with the file that it is in. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: RuleSeverity;
  readonly rule: string;
  /** Absolute path. */
  readonly file: string;
  readonly position: Position;
  readonly message: string;
  readonly fix: string;
}

export interface CheckReport {
  /** Files that were looked at. */
  readonly checked: number;
  /** By file as loaded, then by place in it. */
  readonly findings: readonly Finding[];
}

/** Bodies longer than this many characters crowd a context; models follow short reminders better. */
const LONGEST_BODY = 2_000;

export interface CheckOptions {
  readonly settings: TtsrSettings;
  /** Names of all tools that a run may have here. */
  readonly tools: readonly string[];
}

/** Checks every rule that was found, shadowed and turned-off ones too. */
export function checkRules(loaded: LoadedRules, options: CheckOptions): CheckReport {
  const shadowedBy = new Map(loaded.shadowed.map(({ rule, by }) => [rule, by]));
  const findings = loaded.files.flatMap(({ rule, problems }) => {
    const all = [...problems, ...shadowProblems(shadowedBy.get(rule)), ...ruleProblems(rule, options)];
    return all.toSorted(byPlace).map((problem) => findingOf(problem, rule.name, rule.file));
  });
  const unreadable = loaded.unreadable.map(({ name, file, problem }) => findingOf(problem, name, file));
  return {
    checked: loaded.files.length + loaded.unreadable.length,
    findings: [...findings, ...unreadable],
  };
}

function findingOf({ code, position, message, fix }: Problem, rule: string, file: string): Finding {
  return { code, severity: FINDINGS[code].severity, rule, file, position, message, fix };
}

function byPlace(a: Problem, b: Problem): number {
  return a.position.line - b.position.line || a.position.column - b.position.column;
}

function shadowProblems(by: Rule | undefined): readonly Problem[] {
  if (by === undefined) return [];
  const message = `the rule is not in force: ${by.displayPath} has the same name and comes first`;
  return [{ code: "R006", position: { line: 1, column: 1 }, message, fix: "rename or remove one of them" }];
}

function ruleProblems(rule: Rule, { settings, tools }: CheckOptions): readonly Problem[] {
  const acting = registeredAlone(rule, settings);
  return [
    ...conditionProblems(rule),
    ...scopeProblems(rule),
    ...toolProblems(rule, tools),
    ...deadProblems(rule),
    ...bodyProblems(rule),
    ...(acting === undefined ? [] : [...exampleFaults(acting), ...reminderProblems(acting)]),
  ];
}

/** The rule as it acts in a stream, were it alone and turned on; undefined if it cannot. */
function registeredAlone(rule: Rule, settings: TtsrSettings): TtsrRule | undefined {
  const alone = { ...settings, enabled: true, disabledRules: [] };
  return registerRules([{ ...rule, enabled: true }], alone).rules[0];
}

function conditionProblems(rule: Rule): readonly Problem[] {
  return rule.conditions.flatMap((condition, index) => {
    const position = placeOf(rule, `condition.${index}`, "condition");
    const fault = conditionFault(condition);
    const found = fault === undefined ? conditionDoubts(condition) : [fault];
    return found.map((one) => ({ ...one, position }));
  });
}

function scopeProblems(rule: Rule): readonly Problem[] {
  const fault = rule.conditions.length === 0 ? undefined : scopeFault(rule);
  if (fault === undefined) return [];
  const { key, message, fix } = fault;
  return [{ code: "R003", position: placeOf(rule, `${key}.0`, key), message, fix }];
}

/** A tool that there is not makes no call that the rule could see. */
function toolProblems(rule: Rule, tools: readonly string[]): readonly Problem[] {
  return rule.scope.flatMap((scope, index): readonly Problem[] => {
    if (scope.kind !== "tool" || scope.tool === undefined || isTool(scope.tool, tools)) return [];
    return [
      {
        code: "R016",
        position: placeOf(rule, `scope.${index}`, "scope"),
        message: `no tool is called "${scope.tool}", so nothing is watched by ${renderScope(scope)}`,
        fix: toolAdvice(scope.tool, tools),
      },
    ];
  });
}

function deadProblems(rule: Rule): readonly Problem[] {
  if (rule.bucket !== "none" || rule.conditions.length > 0) return [];
  return [
    {
      code: "R007",
      position: { line: 1, column: 1 },
      message: "the rule does nothing: it has no condition, no alwaysApply and no description",
      fix: "give it one of them",
    },
  ];
}

function bodyProblems(rule: Rule): readonly Problem[] {
  const position = placeOf(rule, "body");
  if (rule.body === "") {
    const message = "the body is empty, so the model is told nothing";
    return [{ code: "R010", position, message, fix: "write below the front matter what to do instead" }];
  }
  if (rule.body.length <= LONGEST_BODY) return [];
  const message = `the body has ${rule.body.length} characters; more than ${LONGEST_BODY} crowd the context`;
  return [{ code: "R011", position, message, fix: "say it shorter, or split the rule" }];
}

/** A reminder that holds what its rule forbids teaches the model to write it. Calls of tools do not quote reminders. */
function reminderProblems(acting: TtsrRule): readonly Problem[] {
  if (!acting.watchesText && !acting.watchesThinking) return [];
  if (!firesOn(acting, acting.rule.body)) return [];
  return [
    {
      code: "R005",
      position: placeOf(acting.rule, "body"),
      message: "the rule fires on its own reminder, so a model that repeats the reminder is stopped again",
      fix: "name what is forbidden in words that the condition does not match",
    },
  ];
}

/** The first of these keys that the file has. */
function placeOf(rule: Rule, ...keys: readonly string[]): Position {
  for (const key of keys) {
    const position = rule.positions.get(key);
    if (position !== undefined) return position;
  }
  return { line: 1, column: 1 };
}
