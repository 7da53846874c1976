// Records of `--output jsonl`, held against the published schema: every event of every test goes through here.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject, parseJson } from "../base/json.ts";

const SCHEMA_FILE = join(import.meta.dir, "../../docs/events.schema.json");

const published = parseJson(readFileSync(SCHEMA_FILE, "utf8"));
if (!isObject(published)) throw new Error(`${SCHEMA_FILE} is not a JSON object`);
const ajv = new Ajv2020({ allErrors: true, strict: false, discriminator: false });
const validate = ajv.compile(closed(published) as object);

/** Names of the records that the schema knows. */
export const RECORD_TYPES: readonly string[] = (published["oneOf"] as readonly { $ref: string }[]).map(
  ({ $ref }) => $ref.replace("#/$defs/", ""),
);

/** Throws, naming the record, if one does not follow the schema or has members that the schema does not name. */
export function expectRecords(records: readonly unknown[]): void {
  for (const record of records) {
    if (!validate(record)) {
      const type = isObject(record) ? String(record["type"]) : "";
      const errors = validate.errors?.filter((error) => error.schemaPath.includes(type)) ?? [];
      throw new Error(
        `not as in docs/events.schema.json: ${JSON.stringify(record)}\n${ajv.errorsText(errors)}`,
      );
    }
  }
}

/** The lines of a jsonl output, checked; the last must be the `result`. */
export function parseRecords(stdout: string): readonly Record<string, unknown>[] {
  const records = stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expectRecords(records);
  if (records.at(-1)?.["type"] !== "result")
    throw new Error(`the last record is no result: ${stdout.slice(-300)}`);
  return records;
}

/** The schema without room for members that it does not name, so that none is forgotten in it. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (!isObject(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]));
  const open = isObject(value["properties"]) && value["additionalProperties"] === undefined;
  return open ? { ...inner, additionalProperties: false } : inner;
}
