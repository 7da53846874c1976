// From the fields of a file's front matter to a rule. Every value is checked here and nowhere else; what cannot be used
// is left out with a problem, and the rest of the rule stands.

import { nearest } from "../base/nearest.ts";
import { conditionFault } from "./condition.ts";
import { type PlacedScope, readerOf, textPositions } from "./field-reader.ts";
import type { Problem, RuleFile } from "./finding.ts";
import type { FrontMatter } from "./front-matter.ts";
import type { Field } from "./front-matter-lines.ts";
import type { Position, Rule, RuleBucket } from "./rule.ts";

/** Where a rule's text came from. */
export interface RuleOrigin {
  readonly name: string;
  readonly file: string;
  readonly displayPath: string;
  readonly source: string;
}

/** Other spellings of keys, among them those of other tools. */
const ALIASES: Readonly<Record<string, string>> = {
  ttsrTrigger: "condition",
  ttsr_trigger: "condition",
  interrupt: "interruptMode",
  applyTo: "globs",
  paths: "globs",
};
const KEYS = [
  "condition",
  "scope",
  "globs",
  "description",
  "alwaysApply",
  "interruptMode",
  "contextMode",
  "repeatMode",
  "repeatGap",
  "severity",
  "enabled",
  "examples",
];
/** Keys of other tools that say nothing to us. */
const IGNORED_KEYS: ReadonlySet<string> = new Set([
  "name",
  "title",
  "tags",
  "author",
  "version",
  "excludeAgent",
]);

/** Decodes a rule from the parts of its file. Never throws. */
export function decodeRule(frontMatter: FrontMatter, origin: RuleOrigin): RuleFile {
  const { fields, body, bodyPosition, problems: found } = frontMatter;
  const problems: Problem[] = [...found];
  const byKey = new Map<string, Field>();
  for (const field of fields) {
    const key = ALIASES[field.key] ?? field.key;
    if (KEYS.includes(key) || key === "trigger") byKey.set(key, field);
    else if (!IGNORED_KEYS.has(key)) problems.push(unknownKey(field));
  }
  const read = readerOf(byKey, problems);
  const conditions = read.conditions();
  const description = read.text("description");
  const scope = read.scope();
  const alwaysApply = read.flag("alwaysApply") ?? byKey.get("trigger")?.value === "always_on";
  const rule: Rule = {
    ...origin,
    bucket: bucketOf({ conditions, alwaysApply, description }),
    conditions,
    scope: scope.map((placed) => placed.scope),
    globs: read.globs(),
    description,
    alwaysApply,
    interruptMode: read.interruptMode(),
    contextMode: read.choice("contextMode", ["discard", "keep"]),
    repeatMode: read.choice("repeatMode", ["once", "after-gap"]),
    repeatGap: read.count("repeatGap"),
    severity: read.choice("severity", ["error", "warning"]) ?? "error",
    enabled: read.flag("enabled") ?? true,
    examples: read.examples(),
    body,
    positions: positionsOf(byKey, bodyPosition, scope),
  };
  return { rule, problems };
}

/** The bucket of a rule: a usable condition first, then `alwaysApply`, then a description, else nothing. */
function bucketOf(rule: Pick<Rule, "conditions" | "alwaysApply" | "description">): RuleBucket {
  if (rule.conditions.some((condition) => conditionFault(condition) === undefined)) return "ttsr";
  if (rule.alwaysApply) return "always";
  return rule.description === undefined ? "none" : "rulebook";
}

function positionsOf(
  byKey: ReadonlyMap<string, Field>,
  body: Position,
  scope: readonly PlacedScope[],
): ReadonlyMap<string, Position> {
  const positions = new Map<string, Position>([["body", body]]);
  const place = (key: string, field: Field): void => {
    positions.set(key, field.position);
    for (const [index, position] of textPositions(field).entries())
      positions.set(`${key}.${index}`, position);
    for (const nested of field.fields ?? []) place(`${key}.${nested.key}`, nested);
  };
  for (const [key, field] of byKey) place(key, field);
  // One text may hold several words.
  for (const [index, { position }] of scope.entries()) {
    if (position !== undefined) positions.set(`scope.${index}`, position);
  }
  return positions;
}

function unknownKey({ key, position }: Field): Problem {
  const near = nearest(key, [...KEYS, ...Object.keys(ALIASES)]);
  return {
    code: "R008",
    position,
    message: `the key "${key}" is not known and does nothing`,
    fix: near === undefined ? `remove it; the keys are ${KEYS.join(", ")}` : `did you mean "${near}"?`,
  };
}
