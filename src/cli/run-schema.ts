// `--schema`: the answer must be JSON that validates. The file is checked before anything is sent.

import { resolve } from "node:path";
import type { ErrorObject } from "ajv";
import type { AnswerFormat } from "../agent/run.ts";
import { AppError, messageOf } from "../base/errors.ts";
import { isObject, parseJson, stringAt } from "../base/json.ts";
import { readNamedFile } from "../base/named-file.ts";
import { oneLine } from "../base/text.ts";
import { schemaLibrary } from "../tools/json-schema.ts";

/** Reasons that are told; a broken answer can have hundreds. */
const MAX_REASONS = 10;

/**
 * Reads a schema. Rejects with `AppError`: `notFound`, or `input` if it is no JSON Schema that can be used; with the
 * signal's reason while it waits for a pipe.
 */
export async function loadAnswerSchema(
  file: string,
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<AnswerFormat> {
  const request = { cannot: `Cannot read the schema "${file}"`, kind: "input", signal } as const;
  const value = parseJson(await readNamedFile(resolve(cwd, file), request));
  if (!isObject(value)) {
    const why = value === undefined ? "it is not JSON" : "it is not a JSON object";
    throw new AppError("input", `Cannot use the schema "${file}": ${why}`);
  }
  try {
    const validate = (await schemaLibrary(value, {})).compile(value);
    return {
      schema: value,
      check(answer) {
        const parsed = parseJson(answer.trim());
        if (parsed === undefined) return [`it is not JSON: ${JSON.stringify(oneLine(answer, 80))}`];
        return validate(parsed) ? [] : (validate.errors ?? []).slice(0, MAX_REASONS).map(complaintOf);
      },
    };
  } catch (error) {
    throw new AppError("input", `Cannot use the schema "${file}": ${messageOf(error)}`, { cause: error });
  }
}

function complaintOf({ instancePath, message, params }: ErrorObject): string {
  const extra = stringAt(params, "additionalProperty") ?? stringAt(params, "missingProperty");
  const named = extra === undefined || message?.includes(extra) ? "" : ` (${extra})`;
  return `${instancePath === "" ? "the value" : instancePath} ${message ?? "is invalid"}${named}`;
}
