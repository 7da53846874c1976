// Validators of JSON Schema, by the dialect that a schema names. Those newer than draft 7 are loaded only where they are named.

import { Ajv, type Options } from "ajv";
import { type JsonObject, stringAt } from "../base/json.ts";

/** The library for the dialect of `$schema`; draft 7 without one. Formats are not checked: models are not told of them. */
export async function schemaLibrary(schema: JsonObject, options: Options): Promise<Ajv> {
  const all = { allErrors: true, strict: false, validateFormats: false, logger: false as const, ...options };
  const dialect = stringAt(schema, "$schema") ?? "";
  if (dialect.includes("2020-12")) return new (await import("ajv/dist/2020.js")).Ajv2020(all);
  if (dialect.includes("2019-09")) return new (await import("ajv/dist/2019.js")).Ajv2019(all);
  return new Ajv(all);
}
