// Arguments of a tool call: checked and coerced by the tool's JSON Schema; a bad call is answered with what was wrong.

import { Ajv, type ErrorObject } from "ajv";
import { AppError, messageOf } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";

/** Checked arguments, or one sentence for the model that says what was wrong with each. */
export type CheckedArguments =
  | { readonly ok: true; readonly arguments: JsonObject }
  | { readonly ok: false; readonly problem: string };

export type ArgumentCheck = (value: JsonObject) => CheckedArguments;

/**
 * A check from a JSON Schema of type `object`. Models write `"5"` for 5 and `"src"` for `["src"]`: such values are
 * coerced, in a copy. The schema is taken to be one: `requireSchema` tells.
 */
export function buildArgumentCheck(schema: JsonObject): ArgumentCheck {
  // Checking the schema itself compiles the schema of schemas first, which costs five times what ours do.
  const validate = newAjv({ validateSchema: false }).compile(schema);
  return (value) => {
    const copy = withoutNulls(structuredClone(value));
    if (validate(copy)) return { ok: true, arguments: copy };
    const problems = (validate.errors ?? []).map((error) => describe(error, schema));
    return { ok: false, problem: [...new Set(problems)].join("; ") };
  };
}

/** Models write `null` for what they leave out; coerced to an empty text it would be a value that nobody gave. */
function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

function newAjv({ validateSchema }: { readonly validateSchema: boolean }): Ajv {
  return new Ajv({
    allErrors: true,
    coerceTypes: "array",
    useDefaults: true,
    strict: false,
    validateFormats: false,
    logger: false,
    validateSchema,
    // For the few calls of a run, better code costs more than it gains.
    code: { optimize: false },
  });
}

/** Throws `AppError` (`settings`) if a user's tool has parameters that are no JSON Schema. */
export function requireSchema(name: string, schema: JsonObject): void {
  try {
    newAjv({ validateSchema: true }).compile(schema);
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
