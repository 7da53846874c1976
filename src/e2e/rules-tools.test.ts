// Names of tools in rules, through the binary: built-in ones, those of the settings, and mistakes.

import { expect, test } from "bun:test";
import { textAnswer, toolAnswer } from "../testing/fake-answers.ts";
import { rulesPlace, ruleText } from "../testing/rules-command.ts";
import { runPlace } from "../testing/run-command.ts";

const DEPLOY = { name: "deploy", description: "d", parameters: { type: "object" }, command: ["true"] };

test("rules check warns of a tool that there is not, and knows those of the settings, trusted or not", async () => {
  using place = rulesPlace({
    r: ruleText("condition: foo\nscope:\n  - tool:wirte(src/**)\n  - tool:deploy\n  - tool:Bash"),
  });
  place.dir.write(".agent/config.jsonc", JSON.stringify({ tools: [DEPLOY] }));
  const finding =
    '.agent/rules/r.md:4:5: warning R016: no tool is called "wirte", so nothing is watched by tool:wirte(src/**)\n' +
    '    fix: did you mean "write"?\n';
  const ignored = /^agent: warning: \S+: tools ignored: this project is not trusted \(.*\)\n/;
  const summary = "agent: 1 rule checked: 0 errors, 1 warning\n";
  const { code, stdout, stderr } = await place.rules(["check"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: finding });
  expect(stderr).toMatch(ignored);
  expect(stderr.replace(ignored, "")).toBe(summary);
  expect(await place.rules(["check", "--trust", "--strict"])).toMatchObject({ code: 3, stderr: summary });
});

test("rules test warns of a tool that there is not", async () => {
  using place = rulesPlace({ r: ruleText("condition: foo\nscope: tool:write") });
  const { code, stderr } = await place.rules(["test", "--as", "tool:wirte(a.ts)", "--text", "foo"]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: 'agent: warning: --as: no tool is called "wirte"; did you mean "write"?\nagent: no rule fires\n',
  });
});

test("a rule sees of a call to a tool that was not offered what it would see of one that is run", async () => {
  const edit = { path: "a.ts", oldText: "let x: any;", newText: "let x: unknown;" };
  await using place = await runPlace([
    toolAnswer({ name: "edit", arguments: edit }),
    textAnswer("I may not edit."),
  ]);
  place.dir.write(".agent/rules/no-any.md", ruleText("condition: ': any'\nscope: tool:edit"));
  const { code, stdout } = await place.run(["--output", "json", "mend a.ts"]);
  expect([code, JSON.parse(stdout).violations]).toEqual([0, []]);
});
