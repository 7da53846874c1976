// The published JSON Schema (docs/config.schema.json) is what settings files are checked with. The few keywords that it
// uses are read here: a library that makes code of a schema takes longer than all the rest of a start.

import schema from "../../docs/config.schema.json" with { type: "json" };
import { arrayAt, isObject, type JsonObject, numberAt, objectAt, stringAt } from "../base/json.ts";
import { nearest } from "../base/nearest.ts";
import { plural } from "../base/text.ts";

/** What is wrong with a value, and where. `unknownKey`: a member that the schema does not have; anything else is an error. */
export interface SchemaFinding {
  readonly path: Path;
  readonly message: string;
  readonly unknownKey: boolean;
}

type Path = readonly (string | number)[];

/** Everything that is wrong with the value of a settings file; empty if nothing is. */
export function checkSettings(value: unknown): readonly SchemaFinding[] {
  return check(value, schema, []);
}

/** `rule`: the part of the schema for the value at `path`. A value of the wrong type is not looked into. */
function check(value: unknown, rule: JsonObject, path: Path): readonly SchemaFinding[] {
  const reference = stringAt(rule, "$ref");
  if (reference !== undefined) return check(value, definitionOf(reference), path);
  const wrong = typeProblem(value, rule) ?? textProblem(value, rule) ?? numberProblem(value, rule);
  if (wrong !== undefined) return [finding(path, wrong)];
  if (Array.isArray(value)) return checkItems(value, rule, path);
  return isObject(value) ? checkMembers(value, rule, path) : [];
}

/** `#/definitions/x` */
function definitionOf(reference: string): JsonObject {
  return objectAt(schema.definitions, reference.split("/").at(-1) ?? "") ?? {};
}

function finding(path: Path, problem: string): SchemaFinding {
  const name = path.length === 0 ? "the settings" : `"${path.join(".")}"`;
  return { path, message: `${name} ${problem}`, unknownKey: false };
}

function checkItems(list: readonly unknown[], rule: JsonObject, path: Path): readonly SchemaFinding[] {
  const least = numberAt(rule, "minItems") ?? 0;
  if (list.length < least) return [finding(path, `must have at least ${plural(least, "item")}`)];
  const ofItems = objectAt(rule, "items") ?? {};
  return list.flatMap((item, index) => check(item, ofItems, [...path, index]));
}

function checkMembers(object: JsonObject, rule: JsonObject, path: Path): readonly SchemaFinding[] {
  const properties = objectAt(rule, "properties") ?? {};
  const missing = (arrayAt(rule, "required") ?? []).filter((name) => !Object.hasOwn(object, String(name)));
  return [
    ...missing.map((name) => finding(path, `lacks "${name}"`)),
    ...Object.entries(object).flatMap(([key, member]) => {
      const ofMember = Object.hasOwn(properties, key) ? objectAt(properties, key) : undefined;
      if (ofMember !== undefined) return check(member, ofMember, [...path, key]);
      return rule["additionalProperties"] === false ? [unknownKey([...path, key], properties)] : [];
    }),
  ];
}

function unknownKey(path: Path, properties: JsonObject): SchemaFinding {
  const key = String(path.at(-1));
  const near = nearest(key, Object.keys(properties));
  const hint = near === undefined ? "" : `; did you mean "${[...path.slice(0, -1), near].join(".")}"?`;
  return { path, message: `unknown key "${path.join(".")}"${hint}`, unknownKey: true };
}

/** In words, the types of JSON Schema that the settings use. */
const TYPES: ReadonlyMap<unknown, { readonly words: string; is(value: unknown): boolean }> = new Map([
  ["integer", { words: "a whole number", is: (value: unknown) => Number.isInteger(value) }],
  ["number", { words: "a number", is: (value: unknown) => Number.isFinite(value) }],
  ["string", { words: "a text", is: (value: unknown) => typeof value === "string" }],
  ["boolean", { words: "true or false", is: (value: unknown) => typeof value === "boolean" }],
  ["array", { words: "a list", is: (value: unknown) => Array.isArray(value) }],
  ["object", { words: "an object", is: isObject }],
]);

function typeProblem(value: unknown, rule: JsonObject): string | undefined {
  const names = arrayAt(rule, "type") ?? [rule["type"]];
  const types = names.flatMap((name) => TYPES.get(name) ?? []);
  if (types.length === 0 || types.some((type) => type.is(value))) return undefined;
  return `must be ${types.map((type) => type.words).join(" or ")}, not ${describe(value)}`;
}

function textProblem(value: unknown, rule: JsonObject): string | undefined {
  if (typeof value !== "string") return undefined;
  const choices = arrayAt(rule, "enum");
  if (choices !== undefined && !choices.includes(value))
    return `must be one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}, not ${describe(value)}`;
  if (value.length < (numberAt(rule, "minLength") ?? 0)) return "must not be empty";
  const pattern = stringAt(rule, "pattern");
  return pattern === undefined || new RegExp(pattern, "u").test(value)
    ? undefined
    : `must match ${pattern}, not ${describe(value)}`;
}

function numberProblem(value: unknown, rule: JsonObject): string | undefined {
  if (typeof value !== "number") return undefined;
  const least = numberAt(rule, "minimum");
  if (least !== undefined && value < least) return `must be at least ${least}, not ${value}`;
  const above = numberAt(rule, "exclusiveMinimum");
  return above !== undefined && value <= above ? `must be more than ${above}, not ${value}` : undefined;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
