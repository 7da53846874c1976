// The published JSON Schema (docs/config.schema.json) is what settings files are checked with. It is read by the few
// lines here instead of a library, because every command loads settings and a library's start-up would be most of it; a
// test holds them against the library.

import { distance } from "fastest-levenshtein";
import schema from "../../docs/config.schema.json" with { type: "json" };
import { arrayAt, isObject, type JsonObject, numberAt, objectAt, stringAt } from "../base/json.ts";

type Path = readonly (string | number)[];

/** What is wrong with a value, and where. `unknownKey`: a member that the schema does not have; anything else is an error. */
export interface SchemaFinding {
  readonly path: Path;
  readonly message: string;
  readonly unknownKey: boolean;
}

/** Everything that is wrong with the value of a settings file, in its order; empty if nothing is. */
export function checkSettings(value: unknown): readonly SchemaFinding[] {
  return [...check(value, schema, [])];
}

/** The keywords that the schema uses. A value of the wrong type is told once, not also by what its members lack. */
function* check(value: unknown, given: JsonObject, path: Path): Generator<SchemaFinding, void> {
  const rule = resolve(given);
  const name = path.length === 0 ? "the settings" : `"${path.join(".")}"`;
  const wrong = (message: string): SchemaFinding => ({
    path,
    message: `${name} ${message}`,
    unknownKey: false,
  });
  const types = typesOf(rule);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    yield wrong(
      `must be ${types.map((type) => TYPE_WORDS.get(type) ?? type).join(" or ")}, not ${describe(value)}`,
    );
    return;
  }
  const allowed = arrayAt(rule, "enum");
  if (allowed !== undefined && !allowed.includes(value))
    yield wrong(
      `must be one of ${allowed.map((item) => JSON.stringify(item)).join(", ")}, not ${describe(value)}`,
    );
  if (typeof value === "string") yield* checkText(value, rule).map(wrong);
  if (typeof value === "number") yield* checkNumber(value, rule).map(wrong);
  if (Array.isArray(value)) {
    const least = numberAt(rule, "minItems") ?? 0;
    if (value.length < least) yield wrong(`must have at least ${least} item${least === 1 ? "" : "s"}`);
    const items = objectAt(rule, "items");
    if (items !== undefined)
      for (const [index, item] of value.entries()) yield* check(item, items, [...path, index]);
  }
  if (isObject(value)) yield* checkObject(value, rule, path);
}

function* checkObject(value: JsonObject, rule: JsonObject, path: Path): Generator<SchemaFinding, void> {
  const name = path.length === 0 ? "the settings" : `"${path.join(".")}"`;
  for (const key of arrayAt(rule, "required") ?? [])
    if (!Object.hasOwn(value, String(key)))
      yield { path, message: `${name} lacks "${key}"`, unknownKey: false };
  const members = objectAt(rule, "properties") ?? {};
  for (const [key, member] of Object.entries(value)) {
    const known = Object.hasOwn(members, key) ? objectAt(members, key) : undefined;
    const here = [...path, key];
    if (known !== undefined) yield* check(member, known, here);
    else if (rule["additionalProperties"] === false)
      yield { path: here, message: unknownKey(here, Object.keys(members)), unknownKey: true };
  }
}

function checkText(value: string, rule: JsonObject): readonly string[] {
  const pattern = stringAt(rule, "pattern");
  const least = numberAt(rule, "minLength") ?? 0;
  return [
    ...(value.length < least ? ["must not be empty"] : []),
    ...(pattern !== undefined && !new RegExp(pattern, "u").test(value)
      ? [`must match ${pattern}, not ${describe(value)}`]
      : []),
  ];
}

function checkNumber(value: number, rule: JsonObject): readonly string[] {
  const least = numberAt(rule, "minimum");
  const above = numberAt(rule, "exclusiveMinimum");
  return [
    ...(least !== undefined && value < least ? [`must be at least ${least}, not ${value}`] : []),
    ...(above !== undefined && value <= above ? [`must be more than ${above}, not ${value}`] : []),
  ];
}

/** A `$ref` with what stands beside it. */
function resolve(rule: JsonObject): JsonObject {
  const reference = stringAt(rule, "$ref");
  if (reference === undefined) return rule;
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  return { ...objectAt(schema.definitions, name), ...rule };
}

function typesOf(rule: JsonObject): readonly string[] {
  const type = rule["type"];
  return (Array.isArray(type) ? type : [type]).filter((item) => typeof item === "string");
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ["integer", "a whole number"],
  ["number", "a number"],
  ["string", "a text"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["object", "an object"],
]);

function unknownKey(path: Path, known: readonly string[]): string {
  const key = String(path.at(-1));
  const ranked = known
    .map((word) => ({ word, far: distance(key.toLowerCase(), word.toLowerCase()) }))
    .sort((a, b) => a.far - b.far);
  const best = ranked[0];
  const near = best !== undefined && best.far < key.length && best.far <= Math.max(2, key.length / 3);
  const name = path.join(".");
  if (!near) return `unknown key "${name}"`;
  return `unknown key "${name}"; did you mean "${[...path.slice(0, -1), best.word].join(".")}"?`;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
