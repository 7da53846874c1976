// The published schema, the program's types and its defaults say the same.

import { expect, test } from "bun:test";
import { Ajv } from "ajv";
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

test("checkSettings() accepts a file that uses everything", () => {
  expect(
    checkSettings({
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
    }),
  ).toEqual([]);
});
