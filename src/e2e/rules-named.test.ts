// Rules that `--rules` names for a gate, through the binary: where they cannot be used, nothing passes.

import { describe, expect, test } from "bun:test";
import { rulesPlace, ruleText } from "../testing/rules-command.ts";

const BROKEN = ruleText("condition:\n  - foo\n  - '(bar'");
const TOOLS_ONLY = ruleText("condition: foo\nscope: tool:write");
const GOOD = ruleText("condition: foo");

describe.each(["filter", "test"])("rules %s --rules", (command) => {
  test.each<readonly [string, Readonly<Record<string, string | Uint8Array>>, string]>([
    [
      "has a condition that does not compile",
      { "gate/a.md": BROKEN },
      'gate/a.md:4: rule "a": condition "(bar"',
    ],
    ["does so beside one that is sound", { "gate/a.md": BROKEN, "gate/b.md": GOOD }, "gate/a.md:4"],
    ["can never fire", { "gate/a.md": ruleText("condition: a\nscope: tool:bash(*.sh)") }, "gate/a.md:3"],
    [
      "cannot be read",
      { "gate/a.md": new Uint8Array([0xff]), "gate/b.md": GOOD },
      "gate/a.md:1: the file is not",
    ],
    ["is turned off", { "gate/a.md": ruleText("condition: foo\nenabled: false") }, "none of them watches"],
    ["is not there", { "gate/a.txt": GOOD }, "none of them watches"],
    ["watches nothing", { "gate/a.md": ruleText("description: foo") }, "none of them watches"],
  ])("ends with 65 before anything passes if a rule %s", async (_, files, words) => {
    using place = rulesPlace({ other: ruleText("condition: unrelated") });
    for (const [path, content] of Object.entries(files)) place.dir.write(path, content);
    const { code, stdout, stderr } = await place.rules([command, "--quiet", "--rules", "gate"], "a foo");
    expect({ code, stdout }).toEqual({ code: 65, stdout: "" });
    expect(stderr).toStartWith("agent: Cannot use the rules of gate: ");
    expect(stderr).toContain(words);
    expect(stderr.split("\n").length).toBe(3);
  });

  test("goes on where other rules than those cannot be used", async () => {
    using place = rulesPlace({ broken: BROKEN });
    place.dir.write("gate/a.md", GOOD);
    const { code, stderr } = await place.rules([command, "--rules", "gate"], "a foo");
    expect(code).toBe(command === "filter" ? 7 : 3);
    expect(stderr).toContain('warning: .agent/rules/broken.md:4: rule "broken": condition "(bar"');
  });
});

describe("rules filter", () => {
  test("reads nothing before it knows that the rules it was given can be used", async () => {
    using place = rulesPlace();
    place.dir.write("gate/a.md", TOOLS_ONLY);
    const agent = place.start(["filter", "--rules", "gate"], "a foo");
    expect(await agent.result).toMatchObject({ code: 65, stdout: "" });
  });

  test("passes everything, and says so, where no rule was named and none watches text", async () => {
    using place = rulesPlace({ t: TOOLS_ONLY });
    expect(await place.rules(["filter"], "a foo")).toMatchObject({
      code: 0,
      stdout: "a foo",
      stderr: "agent: no rule watches text here, so none can fire (agent rules list says why)\n",
    });
  });
});

test("rules test takes named rules that watch tools alone", async () => {
  using place = rulesPlace();
  place.dir.write("gate/a.md", TOOLS_ONLY);
  const fires = await place.rules(["test", "--rules", "gate", "--as", "tool:write(a)", "--text", "a foo"]);
  expect(fires.code).toBe(3);
});
