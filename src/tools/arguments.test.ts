import { expect, test } from "bun:test";
import { buildArgumentCheck, requireSchema } from "./arguments.ts";

const check = await buildArgumentCheck({
  type: "object",
  properties: {
    path: { type: "string" },
    limit: { type: "integer", minimum: 1 },
    deep: { type: "boolean" },
    names: { type: "array", items: { type: "string" } },
    mode: { type: "string", enum: ["a", "b"], default: "a" },
  },
  required: ["path"],
  additionalProperties: false,
});

test("buildArgumentCheck() coerces what models write", () => {
  expect(check({ path: 3, limit: "7", deep: "true", names: "x" })).toEqual({
    ok: true,
    arguments: { path: "3", limit: 7, deep: true, names: ["x"], mode: "a" },
  });
});

test("buildArgumentCheck() takes null for something left out, never for an empty text", () => {
  expect(check({ path: "x", limit: null })).toEqual({ ok: true, arguments: { path: "x", mode: "a" } });
  expect(check({ path: null })).toEqual({ ok: false, problem: '"path" is missing' });
});

test("buildArgumentCheck() takes null for a value where the schema has it", async () => {
  const types = [
    { type: ["string", "null"] },
    { type: "string", nullable: true },
    { anyOf: [{ type: "null" }] },
  ];
  const nullable = await buildArgumentCheck({
    type: "object",
    properties: Object.fromEntries(types.map((type, index) => [`p${index}`, type])),
    required: ["p0", "p1", "p2"],
  });
  const value = { p0: null, p1: null, p2: null };
  expect(nullable({ ...value, other: null })).toEqual({ ok: true, arguments: value });
});

test("requireSchema() takes the dialects that tools write, and buildArgumentCheck() reads them", async () => {
  const item = { prefixItems: [{ type: "integer" }], items: false };
  const schema = (version: string) => ({
    $schema: version,
    type: "object",
    properties: { pair: { type: "array", ...item } },
  });
  const current = schema("https://json-schema.org/draft/2020-12/schema");
  for (const each of [current, schema("https://json-schema.org/draft/2019-09/schema"), schema("")])
    await requireSchema("x", each);
  const pair = await buildArgumentCheck(current);
  expect([pair({ pair: ["1"] }).ok, pair({ pair: [1, 2] }).ok]).toEqual([true, false]);
});

test("buildArgumentCheck() says everything that is wrong, once", () => {
  expect(check({ pth: "x", limit: "many", names: [{}], mode: "c" })).toEqual({
    ok: false,
    problem:
      '"path" is missing; "pth" is unknown (there are: path, limit, deep, names, mode); "limit" must be integer; "names.0" must be string; "mode" must be one of ["a","b"]',
  });
});

test("buildArgumentCheck() leaves the call's own arguments as they were", () => {
  const given = { path: "x", limit: "7" };
  check(given);
  expect(given).toEqual({ path: "x", limit: "7" });
});
