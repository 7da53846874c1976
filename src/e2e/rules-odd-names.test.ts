// A rule's name and file are one piece of a line in whatever tells of them, for a terminal and for a pipe.

import { expect, test } from "bun:test";
import { rulesPlace, ruleText } from "../testing/rules-command.ts";
import { runAgent } from "../testing/spawn.ts";

const ODD = "a\nagent: b\u001b[31m";
const SHOWN = "a\\nagent: b\\x1b[31m";

test("rules list, check, test, filter and doctor show control characters in names as escapes", async () => {
  using place = rulesPlace({
    [ODD]: ruleText("condition: foo"),
    [`x${ODD}`]: ruleText("condition: '(['"),
  });
  const calls = [
    await place.rules(["list"]),
    await place.rules(["check"]),
    await place.rules(["test", "--text", "a foo"]),
    await place.rules(["filter"], "a foo"),
    await runAgent(["doctor"], { cwd: place.dir.path, home: place.dir.path }),
    await runAgent(["run", "--model", "replay:none", "hi"], { cwd: place.dir.path, home: place.dir.path }),
  ];
  for (const { stdout, stderr } of calls) {
    expect(stdout + stderr).toContain(SHOWN);
    expect(stdout + stderr).not.toContain("\u001b");
    for (const line of stdout.split("\n")) expect(line).not.toStartWith("agent: ");
    for (const line of stderr.split("\n")) expect(line).not.toMatch(/^agent: (agent: )?b/);
  }
});

test("rules list --output json gives a name as it is", async () => {
  using place = rulesPlace({ [ODD]: ruleText("condition: foo") });
  const { stdout } = await place.rules(["list", "--output", "json"]);
  expect(JSON.parse(stdout).rules).toMatchObject([{ name: ODD, file: `.agent/rules/${ODD}.md` }]);
});
