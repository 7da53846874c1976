// `agent rules test --session` on a session that a rule acted in, through the binary: the test sees what the run saw.

import { expect, test } from "bun:test";
import { runAgent } from "../testing/spawn.ts";
import { tempDir } from "../testing/temp.ts";

const ANSWERS = [
  { type: "toolcall_start", id: "c1", name: "write" },
  { type: "toolcall_delta", delta: '{"path":"src/a.ts","content":"// one\\nlet x: a' },
  { type: "toolcall_delta", delta: 'ny = 1;"}' },
  {
    type: "toolcall_end",
    arguments: { path: "src/a.ts", content: "// one\nlet x: any = 1;" },
  },
  { type: "done", stopReason: "toolUse" },
  { type: "text_delta", delta: "Done." },
  { type: "done" },
];

test("rules test --session finds the call that a rule cut, by its path and in its text", async () => {
  using dir = tempDir();
  using home = tempDir();
  const options = { cwd: dir.path, home: home.path };
  const rule = "---\ncondition: ': any'\nscope: tool:write(src/**)\n---\n\nUse unknown.\n";
  dir.write(".agent/rules/no-any.md", rule);
  dir.write("answers.jsonl", ANSWERS.map((event) => `${JSON.stringify(event)}\n`).join(""));
  const run = ["run", "--model", "replay:answers.jsonl", "--allow-write", "--output", "json", "go"];
  const { code, stdout } = await runAgent(run, options);
  const { violations } = JSON.parse(stdout);
  const place = { stream: "tool:write", toolCallId: "c1", path: "src/a.ts", at: 17 };
  expect({ code, violations }).toEqual({
    code: 0,
    violations: [{ rule: "no-any", severity: "error", ...place, outcome: "discarded" }],
  });
  const tested = await runAgent(["rules", "test", "--session", "latest"], options);
  expect(tested).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(
      /^entry [0-9a-f]{8}:2:6: no-any \(error\) in tool:write\(src\/a\.ts\) content: ": any"\n$/,
    ),
  });
  const json = await runAgent(["rules", "test", "--session", "latest", "--output", "json"], options);
  expect(JSON.parse(json.stdout).matches).toMatchObject([
    { toolCallId: "c1", path: "src/a.ts", argument: "content", at: 12, firesAt: 17 },
  ]);
});
