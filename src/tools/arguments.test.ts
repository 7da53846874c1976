import { expect, test } from "bun:test";
import { buildArgumentCheck } from "./arguments.ts";

const check = buildArgumentCheck({
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
