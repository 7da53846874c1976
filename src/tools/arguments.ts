// Arguments of a tool call: checked and coerced by the tool's JSON Schema; a bad call is answered with what was wrong.

import type { ErrorObject } from "ajv";
import { AppError, messageOf } from "../base/errors.ts";
import { arrayAt, isObject, type JsonObject, objectAt } from "../base/json.ts";
import { schemaLibrary } from "./json-schema.ts";

/** Checked arguments, or one sentence for the model that says what was wrong with each. */
export type CheckedArguments =
  | { readonly ok: true; readonly arguments: JsonObject }
  | { readonly ok: false; readonly problem: string };

export type ArgumentCheck = (value: JsonObject) => CheckedArguments;

/**
 * A check from a JSON Schema of type `object`. Models write `"5"` for 5 and `"src"` for `["src"]`: such values are
 * coerced, in a copy. The schema is taken to be one: `requireSchema` tells.
 */
export async function buildArgumentCheck(schema: JsonObject): Promise<ArgumentCheck> {
  const library = await schemaLibrary(schema, {
    coerceTypes: "array",
    useDefaults: true,
    // Checking the schema itself compiles the schema of schemas first, which costs five times what ours do.
    validateSchema: false,
    // For the few calls of a run, better code costs more than it gains.
    code: { optimize: false },
  });
  const validate = library.compile(schema);
  return (value) => {
    const copy = withoutNulls(structuredClone(value), objectAt(schema, "properties") ?? {});
    if (validate(copy)) return { ok: true, arguments: copy };
    const problems = (validate.errors ?? []).map((error) => describe(error, schema));
    return { ok: false, problem: [...new Set(problems)].join("; ") };
  };
}

/**
 * Models write `null` for what they leave out; coerced to an empty text it would be a value that nobody gave. Where the
 * schema has `null` for a value, it is one.
 */
function withoutNulls(value: JsonObject, properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter(([key, member]) => member !== null || takesNull(properties[key])),
  );
}

function takesNull(rule: unknown): boolean {
  if (!isObject(rule)) return false;
  const types = arrayAt(rule, "type") ?? [rule["type"]];
  const choices = [...(arrayAt(rule, "anyOf") ?? []), ...(arrayAt(rule, "oneOf") ?? [])];
  return types.includes("null") || rule["nullable"] === true || choices.some(takesNull);
}

/** Rejects with `AppError` (`settings`) if a user's tool has parameters that are no JSON Schema. */
export async function requireSchema(name: string, schema: JsonObject): Promise<void> {
  try {
    (await schemaLibrary(schema, { code: { optimize: false } })).compile(schema);
  } catch (error) {
    throw new AppError(
      "settings",
      `Cannot use tool "${name}": its parameters are no JSON Schema: ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
}

function describe(error: ErrorObject, schema: JsonObject): string {
  const at = error.instancePath.split("/").slice(1).join(".");
  switch (error.keyword) {
    case "required":
      return `"${error.params["missingProperty"]}" is missing`;
    case "additionalProperties":
      return `"${error.params["additionalProperty"]}" is unknown (there are: ${Object.keys(Object(schema["properties"])).join(", ")})`;
    case "enum":
      return `"${at}" must be one of ${JSON.stringify(error.params["allowedValues"])}`;
    default:
      return `${at === "" ? "the arguments" : `"${at}"`} ${error.message ?? "is wrong"}`;
  }
}
