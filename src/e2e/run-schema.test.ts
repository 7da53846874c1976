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

test("run --schema gives an answer that validates, and sends the schema where no tools are offered", async () => {
  await using made = await place(GOOD);
  const result = await made.run(["--schema", "s.json", "--tools", "", "name it"]);
  expect(result).toMatchObject({ code: 0, stdout: `${GOOD}\n` });
  expect(made.server.chats()[0]?.body).toMatchObject({ format: SCHEMA });
});

test("run --schema asks once more, held to the schema, for an answer that does not validate", async () => {
  await using made = await place("The name is x.", GOOD);
  const result = await made.run(["--schema", "s.json", "name it"]);
  expect(result).toMatchObject({ code: 0, stdout: `${GOOD}\n` });
  const [first, second] = made.server.chats().map(({ body }) => body);
  expect(first?.["format"]).toBeUndefined();
  expect(second).toMatchObject({ format: SCHEMA });
  expect(second?.["tools"]).toBeUndefined();
});

test("run --schema fails with the reasons when the second answer does not validate either", async () => {
  await using made = await place("The name is x.", '{"name":1}');
  const result = await made.run(["--schema", "s.json", "name it"]);
  expect(result).toMatchObject({ code: 1, stdout: "" });
  expect(result.stderr).toContain("/name must be string");
});

test("run --schema lets the model use its tools before it answers", async () => {
  await using made = await runPlace([toolAnswer({ name: "ls", arguments: {} }), textAnswer(GOOD)]);
  made.dir.write("s.json", JSON.stringify(SCHEMA));
  expect(await made.run(["--schema", "s.json", "name it"])).toMatchObject({ code: 0, stdout: `${GOOD}\n` });
});
