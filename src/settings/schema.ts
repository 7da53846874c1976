// The published JSON Schema (docs/config.schema.json) is what settings files are checked with.

import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { distance } from "fastest-levenshtein";
import schema from "../../docs/config.schema.json" with { type: "json" };
import { plural } from "../base/text.ts";

/** What is wrong with a value, and where. `unknownKey`: a member that the schema does not have; anything else is an error. */
export interface SchemaFinding {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly unknownKey: boolean;
}

/**
 * Ajv makes code of a schema, for one file of a few lines: it need not be good code. That the schema is one is said by a
 * test; to have it checked here costs more than the rest of a start.
 */
const OPTIONS = {
  allErrors: true,
  allowUnionTypes: true,
  verbose: true,
  validateSchema: false,
  code: { optimize: false },
};

let compiled: ValidateFunction | undefined;

/** Everything that is wrong with the value of a settings file; empty if nothing is. */
export function checkSettings(value: unknown): readonly SchemaFinding[] {
  compiled ??= new Ajv(OPTIONS).compile(schema);
  if (compiled(value)) return [];
  return (compiled.errors ?? []).map(findingOf);
}

function findingOf(error: ErrorObject): SchemaFinding {
  const path = error.instancePath.split("/").slice(1).map(unescapePointer);
  const name = path.length === 0 ? "the settings" : `"${path.join(".")}"`;
  const { params } = error;
  const wrong = (message: string): SchemaFinding => ({
    path,
    message: `${name} ${message}`,
    unknownKey: false,
  });
  switch (error.keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      const full = [...path, key];
      return { path: full, message: unknownKey(full, knownKeys(error.parentSchema)), unknownKey: true };
    }
    case "required":
      return wrong(`lacks "${params["missingProperty"]}"`);
    case "type":
      return wrong(`must be ${wordsForTypes(params["type"])}, not ${describe(error.data)}`);
    case "enum":
      return wrong(`must be one of ${listOf(params["allowedValues"])}, not ${describe(error.data)}`);
    case "minimum":
      return wrong(`must be at least ${params["limit"]}, not ${describe(error.data)}`);
    case "exclusiveMinimum":
      return wrong(`must be more than ${params["limit"]}, not ${describe(error.data)}`);
    case "pattern":
      return wrong(`must match ${params["pattern"]}, not ${describe(error.data)}`);
    case "minItems":
      return wrong(`must have at least ${plural(Number(params["limit"]), "item")}`);
    case "minLength":
      return wrong("must not be empty");
    default:
      return wrong(`${error.message ?? "is wrong"}`);
  }
}

function unescapePointer(part: string): string | number {
  if (/^\d+$/.test(part)) return Number(part);
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

function knownKeys(parentSchema: unknown): readonly string[] {
  if (typeof parentSchema !== "object" || parentSchema === null || !("properties" in parentSchema)) return [];
  return Object.keys(Object(parentSchema.properties));
}

function unknownKey(path: readonly (string | number)[], known: readonly string[]): string {
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

function wordsForTypes(types: unknown): string {
  const words: Readonly<Record<string, string>> = {
    integer: "a whole number",
    number: "a number",
    string: "a text",
    boolean: "true or false",
    array: "a list",
    object: "an object",
  };
  const names = Array.isArray(types) ? types : [types];
  return names.map((name) => words[String(name)] ?? String(name)).join(" or ");
}

function listOf(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(", ") : String(values);
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
