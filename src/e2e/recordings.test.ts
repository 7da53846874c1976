// The recordings that come with the project: each can be played, and those of the demo do what they are there for.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseRecording } from "../model/recording.ts";
import { runPlace } from "../testing/run-command.ts";

const FIXTURES = join(import.meta.dir, "../../fixtures");
const RECORDINGS = [...new Bun.Glob("recordings/*.jsonl").scanSync(FIXTURES)].sort();

for (const file of RECORDINGS) {
  test(`fixtures/${file} holds whole answers`, () => {
    const { answers } = parseRecording(readFileSync(join(FIXTURES, file), "utf8"), file);
    expect(answers.map((answer) => answer.end.type)).toEqual(answers.map(() => "done"));
    expect(answers.length).toBeGreaterThan(0);
  });
}

test("fixtures/recordings/tour.jsonl looks around and answers, anywhere and without a server", async () => {
  await using place = await runPlace();
  place.dir.write("README.md", "# A project\n");
  const model = `replay:${join(FIXTURES, "recordings/tour.jsonl")}`;
  const { code, stdout } = await place.run(["what is here?"], { model, host: "127.0.0.1:9" });
  expect([code, stdout]).toEqual([
    0,
    "This is a project with a README at its top; its first lines say what it is for. The listing above has the rest.\n",
  ]);
});

test("fixtures/recordings/rule-fires.jsonl shows a rule that cuts a call, and the better one that follows", async () => {
  await using place = await runPlace();
  const model = `replay:${join(FIXTURES, "recordings/rule-fires.jsonl")}`;
  const rules = join(FIXTURES, "rules/starter");
  const run = await place.run(["--allow-write", "--rules", rules, "--output", "json", "write a parser"], {
    model,
  });
  const result = JSON.parse(run.stdout);
  expect([run.code, result.text, result.violations]).toMatchObject([
    0,
    "`src/parse.ts` has `parse(text: string): unknown`.",
    [{ rule: "no-any", stream: "tool:write", outcome: "discarded" }],
  ]);
  expect(readFileSync(join(place.dir.path, "src/parse.ts"), "utf8")).toStartWith(
    "export function parse(text: string): unknown {",
  );
});
