// The published schema, the program's types and its defaults say the same.

import { expect, test } from "bun:test";
import { Ajv } from "ajv";
import fc from "fast-check";
import schema from "../../docs/config.schema.json" with { type: "json" };
import { isObject, type JsonObject, objectAt } from "../base/json.ts";
import { checkSettings } from "./schema.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";

/** The schema of a dotted name. */
function schemaAt(name: string): JsonObject | undefined {
  return name
    .split(".")
    .reduce<JsonObject | undefined>(
      (at, key) => objectAt(objectAt(at ?? {}, "properties") ?? {}, key),
      schema,
    );
}

function leaves(value: object, prefix = ""): readonly (readonly [string, unknown])[] {
  return Object.entries(value).flatMap(([key, member]) =>
    isObject(member) && Object.keys(member).length > 0
      ? leaves(member, `${prefix}${key}.`)
      : [[`${prefix}${key}`, member] as const],
  );
}

const NAMES_IN_FILES: Readonly<Record<string, string>> = { "limits.maxTimeMs": "limits.maxTime" };

test("docs/config.schema.json is a JSON Schema", () => {
  expect(new Ajv({ allowUnionTypes: true }).validateSchema(schema)).toBe(true);
});

test("the schema has every setting, with the program's default", () => {
  const wrong = leaves(DEFAULT_SETTINGS).flatMap(([name, value]) => {
    const found = schemaAt(NAMES_IN_FILES[name] ?? name);
    if (found === undefined) return [`${name} is missing`];
    const expected = value === undefined || typeof value === "object" ? found["default"] : value;
    return Bun.deepEquals(found["default"], expected)
      ? []
      : [`${name}: default ${found["default"]}, not ${value}`];
  });
  expect(wrong).toEqual([]);
});

const EVERYTHING = {
  $schema: "x",
  model: "m",
  host: "http://h",
  numCtx: 8192,
  keepAlive: "10m",
  think: "high",
  ttsr: { ...DEFAULT_SETTINGS.ttsr, disabledRules: ["a"] },
  handoff: { engine: "offline", model: "m", evidence: false, redact: true, budget: 100 },
  permissions: {
    read: true,
    write: ["a"],
    run: false,
    env: ["CI"],
    net: [],
    deny: { read: [], write: true, run: ["rm"] },
  },
  tools: [
    {
      name: "t",
      description: "d",
      parameters: { type: "object" },
      command: ["x"],
      timeoutMs: 5,
      onSession: true,
    },
  ],
  hooks: { ttsr_triggered: [{ command: ["x"], timeoutMs: 5 }] },
  limits: { maxTurns: 1, maxTime: 30, maxTokens: 5 },
  retry: { attempts: 0, baseDelayMs: 0 },
  trustedProjects: ["~/x"],
};

test("checkSettings() accepts a file that uses everything", () => {
  expect(checkSettings(EVERYTHING)).toEqual([]);
});

/** The schemas of values that a schema is made of, itself first. */
function parts(rule: JsonObject): readonly JsonObject[] {
  const members = ["properties", "definitions"].flatMap((key) => Object.values(objectAt(rule, key) ?? {}));
  return [rule, ...[...members, rule["items"]].filter(isObject).flatMap(parts)];
}

test("the schema uses no keyword that checkSettings() does not read", () => {
  const describing = ["$schema", "title", "description", "default", "definitions"];
  const read = [
    ...["$ref", "type", "enum", "pattern", "minLength", "minimum", "exclusiveMinimum"],
    ...["items", "minItems", "properties", "required", "additionalProperties"],
  ];
  const used = parts(schema).flatMap((rule) => Object.keys(rule));
  expect([...new Set(used)].filter((keyword) => ![...describing, ...read].includes(keyword))).toEqual([]);
});

/** `value` with what stands at the place that `picks` lead to replaced; `undefined` takes it out. */
function changed(value: unknown, picks: readonly number[], by: unknown): unknown {
  const [pick, ...rest] = picks;
  if (pick === undefined || typeof value !== "object" || value === null) return by;
  const keys = [...Object.keys(value), ...(Array.isArray(value) ? [] : ["zzz"])];
  const key = keys[pick % keys.length] ?? "0";
  const member = changed(Object(value)[key], rest, by);
  if (Array.isArray(value)) return member === undefined ? [] : Object.assign([...value], { [key]: member });
  return Object.fromEntries(
    Object.entries({ ...value, [key]: member }).filter(([, kept]) => kept !== undefined),
  );
}

test("checkSettings() finds what a validator of JSON Schema finds, where it finds it", () => {
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
  const others = [undefined, null, true, -1, 0, 1.5, 7, "", "x", "30s", [], [""], ["x"], [1], {}, { zzz: 1 }];
  const change = fc.tuple(fc.array(fc.nat(40), { maxLength: 5 }), fc.constantFrom(...others));
  let refused = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const value = changes.reduce<unknown>((now, [picks, by]) => changed(now, picks, by) ?? {}, EVERYTHING);
      validate(value);
      const expected = (validate.errors ?? []).map(({ instancePath, params }) =>
        [instancePath, params["additionalProperty"]].filter((part) => part !== undefined).join("/"),
      );
      const found = checkSettings(value).map(({ path }) => path.map((part) => `/${part}`).join(""));
      if (found.length > 0) refused++;
      expect(new Set(found)).toEqual(new Set(expected));
    }),
    { numRuns: 1_000 },
  );
  expect(refused).toBeGreaterThan(300);
});
