// Readers of one value of the front matter each. A value that cannot be used counts as not given, with a problem.

import { isObject } from "../base/json.ts";
import { withoutLast } from "../base/text.ts";
import type { Problem } from "./finding.ts";
import { type Field, splitList, unquote } from "./front-matter-lines.ts";
import type { InterruptMode, Position, Rule, RuleScope } from "./rule.ts";
import { DEFAULT_SCOPE, parseScope, SCOPE_FORMS, scopeWords } from "./scope.ts";

/** A word of a scope, and where the text stands that it is in; undefined for what the file does not say. */
export interface PlacedScope {
  readonly scope: RuleScope;
  readonly position: Position | undefined;
}

export interface FieldReader {
  conditions(): readonly string[];
  scope(): readonly PlacedScope[];
  globs(): readonly string[];
  text(key: string): string | undefined;
  flag(key: string): boolean | undefined;
  count(key: string): number | undefined;
  choice<const T extends string>(key: string, choices: readonly T[]): T | undefined;
  interruptMode(): InterruptMode | undefined;
  examples(): Rule["examples"];
}

const INTERRUPT_MODES = ["always", "prose-only", "tool-only", "never"] as const;
/** Cursor writes these keys into every rule, with or without a value. */
const WRITTEN_EMPTY: readonly string[] = ["description", "globs", "alwaysApply"];
const TRUE_WORDS = ["true", "yes", "on"];
const FALSE_WORDS = ["false", "no", "off"];

/** Reads values of `fields`, found by the key that is meant; what is wrong goes to `problems`. */
export function readerOf(fields: ReadonlyMap<string, Field>, problems: Problem[]): FieldReader {
  const wrong: Complain = (field, message, fix) => {
    problems.push({ code: "R013", position: field.items[0] ?? field.position, message, fix });
  };
  const given = (key: string): Field | undefined => {
    const field = fields.get(key);
    if (field === undefined || !isEmpty(field.value)) return field;
    if (field.value === null && WRITTEN_EMPTY.includes(key)) return undefined;
    wrong(field, `"${field.key}" is empty and counts as not given`, "give it a value, or remove it");
    return undefined;
  };
  const texts = (field: Field): readonly string[] => textsOf(field, wrong);
  const choice: FieldReader["choice"] = (key, choices) => {
    const field = given(key);
    if (field === undefined) return undefined;
    const found = choices.find((word) => word === field.value);
    if (found === undefined) wrong(field, cannotBe(field), `write one of ${choices.join(", ")}`);
    return found;
  };

  return {
    choice,
    conditions() {
      const field = given("condition");
      if (field === undefined) return [];
      return texts(field).map((text) =>
        withoutLastBreak(restoreWordBoundary(text, field, wrong), field, wrong),
      );
    },
    scope() {
      const field = given("scope");
      if (field === undefined) return DEFAULT_SCOPE.map((scope) => ({ scope, position: undefined }));
      const positions = textPositions(field);
      const placed: PlacedScope[] = [];
      texts(field).forEach((text, index) => {
        const position = positions[index];
        const items = position === undefined ? [] : [position];
        for (const word of scopeWords(text)) {
          const scope = parseScope(word);
          if (scope !== undefined) placed.push({ scope, position });
          else wrong({ ...field, items }, `"${word}" is not a scope`, `write ${SCOPE_FORMS}`);
        }
      });
      return placed;
    },
    globs() {
      const field = given("globs");
      return field === undefined ? [] : texts(field).flatMap((text) => splitList(text).map(unquote));
    },
    text(key) {
      const field = given(key);
      return field === undefined ? undefined : texts(field).join(" ").trim();
    },
    flag(key) {
      const field = given(key);
      return field === undefined ? undefined : flagOf(field, wrong);
    },
    count(key) {
      const field = given(key);
      if (field === undefined) return undefined;
      const { value } = field;
      if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
      wrong(field, cannotBe(field), "write a whole number of turns");
      return undefined;
    },
    interruptMode() {
      const field = fields.get("interruptMode");
      if (field?.value === true) return "always";
      if (field?.value === false) return "never";
      return choice("interruptMode", INTERRUPT_MODES);
    },
    examples() {
      const field = given("examples");
      return field === undefined ? { match: [], pass: [] } : examplesOf(field, wrong);
    },
  };
}

type Complain = (field: Field, message: string, fix: string) => void;

function isEmpty(value: unknown): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function cannotBe({ key, value }: Field): string {
  return `"${key}" cannot be ${JSON.stringify(value)}; the default is used`;
}

/** What counts as a text: YAML takes `1` and `true` for something else where people mean the word. */
function isText(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Where the texts of a value stand: those that `FieldReader` gives, in their order. */
export function textPositions({ value, items }: Field): readonly Position[] {
  if (!Array.isArray(value)) return isText(value) ? items : [];
  return items.filter((_, index) => isText(value[index]));
}

function textsOf(field: Field, wrong: Complain): readonly string[] {
  const items: readonly unknown[] = Array.isArray(field.value) ? field.value : [field.value];
  const texts: string[] = [];
  for (const item of items) {
    if (isText(item)) texts.push(String(item));
    else wrong(field, `"${field.key}" must be a text or a list of texts`, "put each text in single quotes");
  }
  return texts;
}

/** In YAML 1.2 `yes` is a text; people who write it mean true. */
function flagOf(field: Field, wrong: Complain): boolean | undefined {
  if (typeof field.value === "boolean") return field.value;
  const word = String(field.value).toLowerCase();
  const isTrue = TRUE_WORDS.includes(word);
  if (!isTrue && !FALSE_WORDS.includes(word)) {
    wrong(field, cannotBe(field), "write true or false");
    return undefined;
  }
  wrong(field, `"${field.key}: ${word}" is a text in YAML; it was read as ${isTrue}`, "write true or false");
  return isTrue;
}

function examplesOf(field: Field, wrong: Complain): Rule["examples"] {
  if (!isObject(field.value)) {
    wrong(
      field,
      '"examples" must have the keys match and pass',
      "write examples: {match: [...], pass: [...]}",
    );
    return { match: [], pass: [] };
  }
  const { match, pass, ...others } = field.value;
  for (const key of Object.keys(others)) {
    wrong(field, `"examples.${key}" is not known and does nothing`, "the keys are match and pass");
  }
  const list = (value: unknown): readonly string[] =>
    value === undefined || value === null ? [] : textsOf({ ...field, value }, wrong);
  return { match: list(match), pass: list(pass) };
}

/** In YAML's double quotes `\b` is a backspace, which nobody looks for: it is read as the word boundary that was meant. */
function restoreWordBoundary(text: string, field: Field, wrong: Complain): string {
  if (!text.includes("\b")) return text;
  const message = '"\\b" in double quotes is a backspace in YAML; it was read as a word boundary';
  wrong(field, message, "write the condition in single quotes");
  return text.replaceAll("\b", "\\b");
}

/** A block (`|`, `>`) ends with a line break in YAML, and a condition with it would only match at the end of a line. */
function withoutLastBreak(text: string, field: Field, wrong: Complain): string {
  const condition = withoutLast(text, "\n");
  if (condition === text || condition === "") return text;
  const message = "the condition ends with a line break, as a block of YAML does; it was left out";
  wrong(field, message, "write |- or >-, or \\n in single quotes if the line break is meant");
  return condition;
}
