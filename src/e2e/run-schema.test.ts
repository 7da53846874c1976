// `--schema`: the answer is JSON that validates, or the run fails.

import { expect, test } from "bun:test";
import { textAnswer, toolAnswer } from "../testing/fake-answers.ts";
import { type RunPlace, runPlace } from "../testing/run-command.ts";

const SCHEMA = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
const GOOD = '{"name":"x"}';

async function place(...texts: readonly string[]): Promise<RunPlace> {
  const made = await runPlace(texts.map((text) => textAnswer(text)));
  made.dir.write("s.json", JSON.stringify(SCHEMA));
  return made;
}

test("run --schema gives an answer that validates, the server held to the schema from the start", async () => {
  await using made = await place(GOOD);
  const result = await made.run(["--schema", "s.json", "name it"]);
  expect(result).toMatchObject({ code: 0, stdout: `${GOOD}\n`, stderr: "" });
  const [only] = made.server.chats().map(({ body }) => body);
  expect(only).toMatchObject({ format: SCHEMA });
  expect(only?.["tools"]).toBeUndefined();
});

test("run --schema asks once more for an answer that does not validate", async () => {
  await using made = await place("The name is x.", GOOD);
  const result = await made.run(["--schema", "s.json", "name it"]);
  expect(result).toMatchObject({ code: 0, stdout: `${GOOD}\n` });
  const [, second] = made.server.chats().map(({ body }) => body);
  expect(second).toMatchObject({ format: SCHEMA });
  expect(JSON.stringify(second)).toContain("does not follow the JSON Schema");
});

test("run --schema with tools lets the model work freely, and holds only the second try to the schema", async () => {
  await using made = await place("The name is x.", GOOD);
  const result = await made.run(["--schema", "s.json", "--tools", "ls", "name it"]);
  expect(result).toMatchObject({ code: 0, stdout: `${GOOD}\n` });
  const [first, second] = made.server.chats().map(({ body }) => body);
  expect(first?.["format"]).toBeUndefined();
  expect(first?.["tools"]).toBeDefined();
  expect(second).toMatchObject({ format: SCHEMA });
  expect(second?.["tools"]).toBeUndefined();
});

test("run --schema fails with the reasons when the second answer does not validate either", async () => {
  await using made = await place("The name is x.", '{"name":1}');
  const result = await made.run(["--schema", "s.json", "name it"]);
  expect(result).toMatchObject({ code: 1, stdout: "" });
  expect(result.stderr).toContain("/name must be string");
});

test("run --schema takes the answer that follows the calls of its tools", async () => {
  await using made = await runPlace([toolAnswer({ name: "ls", arguments: {} }), textAnswer(GOOD)]);
  made.dir.write("s.json", JSON.stringify(SCHEMA));
  const result = await made.run(["--schema", "s.json", "--tools", "ls", "name it"]);
  expect(result).toMatchObject({ code: 0, stdout: `${GOOD}\n` });
  expect(made.server.chats().length).toBe(2);
});
