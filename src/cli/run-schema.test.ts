import { expect, test } from "bun:test";
import { AppError } from "../base/errors.ts";
import { tempDir } from "../testing/temp.ts";
import { loadAnswerSchema } from "./run-schema.ts";

const load = (file: string, cwd: string) =>
  loadAnswerSchema(file, { cwd, signal: new AbortController().signal });

test("loadAnswerSchema() gives every reason why an answer is wrong", async () => {
  using dir = tempDir();
  const schema = {
    type: "object",
    required: ["a", "b"],
    properties: { a: { type: "integer" } },
    additionalProperties: false,
  };
  dir.write("s.json", JSON.stringify(schema));
  const { check } = await load("s.json", dir.path);
  expect(check('{"a":1,"b":2}')).toEqual(["the value must NOT have additional properties (b)"]);
  expect(check('{"a":"x"}')).toEqual(["the value must have required property 'b'", "/a must be integer"]);
  expect(check("```json\n{}\n```")).toEqual(['it is not JSON: "```json {} ```"']);
});

test("loadAnswerSchema() takes the dialects that tools write", async () => {
  using dir = tempDir();
  for (const dialect of [
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema#",
  ]) {
    dir.write("s.json", JSON.stringify({ $schema: dialect, type: "string", format: "date" }));
    expect((await load("s.json", dir.path)).check('"x"')).toEqual([]);
  }
});

test("loadAnswerSchema() refuses what is no schema", async () => {
  using dir = tempDir();
  const kindOf = async (content: string | undefined) => {
    if (content !== undefined) dir.write("s.json", content);
    try {
      await load(content === undefined ? "none.json" : "s.json", dir.path);
      return undefined;
    } catch (error) {
      return error instanceof AppError ? error.kind : error;
    }
  };
  expect(await kindOf(undefined)).toBe("notFound");
  for (const content of ["{", "[]", '{"type":"nothing"}']) expect(await kindOf(content)).toBe("input");
});
