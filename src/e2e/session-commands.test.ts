// `agent session list|show|check|stats` through the binary: outputs, exit codes, pipes, and what a `<session>` can be.

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { sessionPlace } from "../testing/session-place.ts";
import { assistantEntry, HEADER, jsonl, timeAt, userEntry } from "../testing/session-text.ts";

const CALL = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "npm test" } };
const RESULT = {
  type: "message",
  id: "00000003",
  parentId: "00000002",
  timestamp: timeAt(3),
  message: {
    role: "toolResult",
    toolCallId: "c1",
    toolName: "bash",
    content: [{ type: "text", text: "one\ntwo\nthree\nfour\n\nCommand exited with code 1" }],
    isError: true,
    timestamp: 1,
  },
};
const SESSION = jsonl(
  HEADER,
  userEntry("00000001", null, "run the tests"),
  userEntry("0000dead", "00000001", "another way"),
  assistantEntry("00000002", "00000001", {
    content: [{ type: "thinking", thinking: "I think.\nMore." }, { type: "text", text: "Now." }, CALL],
    stopReason: "toolUse",
  }),
  RESULT,
  {
    type: "custom_message",
    id: "00000004",
    parentId: "00000003",
    timestamp: timeAt(4),
    customType: "hint",
    content: "psst",
    display: false,
  },
  assistantEntry("00000005", "00000004", {
    content: [{ type: "text", text: "They fail.\n```\ncode left open" }],
  }),
);

test("session show prints what a person wants to read", async () => {
  using at = sessionPlace();
  at.dir.write("s.jsonl", SESSION);
  const { code, stdout, stderr } = await at.session(["show", "s.jsonl"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toBe(`${HEADER.id}
/home/someone/project · 2026-01-02 03:04:05 · 6 entries · pi-v3

user  2026-01-02 03:04:06 · 00000001
  run the tests

assistant m  2026-01-02 03:04:07 · 00000002
  thinking: I think. (2 lines)
  Now.
  > bash npm test → exit 1, 6 lines  00000003
      one
      two
      three

assistant m  2026-01-02 03:04:07 · 00000005
  They fail.
  \`\`\`
  code left open
`);
});

test("session show --all shows hidden entries and those of other branches", async () => {
  using at = sessionPlace();
  at.dir.write("s.jsonl", SESSION);
  const { stdout } = await at.session(["show", "s.jsonl", "--all"]);
  expect(stdout).toContain("user  2026-01-02 03:04:06 · 0000dead · on another branch\n  another way\n");
  expect(stdout).toContain("hint (hidden)  2026-01-02 03:04:09 · 00000004\n  psst\n");
});

test("session show --branch shows the branch that ends at an entry", async () => {
  using at = sessionPlace();
  at.dir.write("s.jsonl", SESSION);
  const { stdout } = await at.session(["show", "s.jsonl", "--branch=0000dead"]);
  expect(stdout).toContain("another way");
  expect(stdout).not.toContain("They fail");
  expect((await at.session(["show", "s.jsonl", "--branch=nowhere"])).code).toBe(66);
});

test("session show --entry shows one entry whole, by its id or its beginning", async () => {
  using at = sessionPlace();
  at.dir.write("s.jsonl", SESSION);
  const { stdout } = await at.session(["show", "s.jsonl", "--entry", "00000003"]);
  expect(stdout).toBe(
    "tool result bash  2026-01-02 03:04:08 · 00000003 · after 00000002\n\none\ntwo\nthree\nfour\n\nCommand exited with code 1\n",
  );
  expect((await at.session(["show", "s.jsonl", "--entry", "0000de"])).stdout).toContain("another way");
  expect(await at.session(["show", "s.jsonl", "--entry", "000000"])).toMatchObject({
    code: 2,
    stderr:
      'agent: "000000" is the beginning of 5 entry ids\nagent: 00000001\nagent: 00000002\nagent: 00000003\nagent: 00000004\nagent: 00000005\n',
  });
  expect((await at.session(["show", "s.jsonl", "--entry", "ffffffff"])).code).toBe(66);
});

test("session show gives Markdown whose code fences are closed", async () => {
  using at = sessionPlace();
  at.dir.write("s.jsonl", SESSION);
  const { stdout } = await at.session(["show", "s.jsonl", "--output", "md"]);
  expect(stdout).toContain("- **bash** `npm test` → exit 1, 6 lines (00000003)\n");
  expect(stdout.match(/^```/gm)?.length).toBe(4);
  expect(stdout.endsWith("code left open\n```\n")).toBe(true);
});

test("session show --entry gives Markdown of one entry whole, its thinking and its calls too", async () => {
  using at = sessionPlace();
  at.dir.write("s.jsonl", SESSION);
  const show = async (id: string) =>
    (await at.session(["show", "s.jsonl", "--entry", id, "--output", "md"])).stdout;
  expect(await show("00000002")).toBe(`# assistant (00000002)

- Time: 2026-01-02T03:04:07.000Z
- After: 00000001

*Thinking:*

I think.
More.

Now.

**bash** (c1)

\`\`\`
{
  "command": "npm test"
}
\`\`\`
`);
  expect(await show("00000005")).toEndWith("\n```\ncode left open\n```\n");
  expect(await show("00000003")).toContain("\n```\none\ntwo\nthree\nfour\n");
});

test("session show --entry says how an answer ended that did not end by itself", async () => {
  using at = sessionPlace();
  const failed = { content: [], stopReason: "error", errorMessage: "no such model" };
  at.dir.write("s.jsonl", jsonl(HEADER, assistantEntry("00000001", null, failed)));
  for (const output of ["text", "md"]) {
    const { stdout } = await at.session(["show", "s.jsonl", "--entry", "00000001", "--output", output]);
    expect(stdout).toEndWith("\n\n(error: no such model)\n");
  }
});

test("session show gives JSON, without secrets", async () => {
  using at = sessionPlace();
  const key = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  at.dir.write("s.jsonl", jsonl(HEADER, userEntry("00000001", null, `the key is ${key}`)));
  const { stdout } = await at.session(["show", "s.jsonl", "--output", "json"]);
  const { header, entries, problems } = JSON.parse(stdout);
  expect([header.id, entries.length, problems]).toEqual([HEADER.id, 1, []]);
  expect(entries[0].message.content).toMatch(/^the key is \[redacted:/);
  for (const output of ["text", "md", "json"])
    expect((await at.session(["show", "s.jsonl", "--output", output])).stdout).not.toContain(key);
});

test("session show, check and stats read a session from a pipe", async () => {
  using at = sessionPlace();
  expect((await at.session(["show", "-"], SESSION)).stdout).toContain("They fail.");
  expect(await at.session(["check", "-"], SESSION)).toEqual({
    code: 0,
    signal: null,
    stdout: "",
    stderr: "agent: 6 entries checked (pi-v3): nothing found\n",
  });
  const stats = await at.session(["stats", "-", "--output", "json"], SESSION);
  expect(JSON.parse(stats.stdout)).toMatchObject({ entries: 6, commands: { total: 1, failed: 1 } });
  expect((await at.session(["stats", "-"], SESSION)).stdout).toContain("commands     1 (1 failed)\n");
});

test("session commands name stdin where nothing comes from there", async () => {
  using at = sessionPlace();
  for (const command of ["check", "show", "stats", "convert"]) {
    const { code, stderr } = await at.session([command, "-"], "");
    expect([command, code, stderr.split("\n")[0]]).toEqual([
      command,
      65,
      "agent: Cannot read the session from stdin: it is empty",
    ]);
  }
});

test("session stats says which tokens came from a cache, so that its numbers add up", async () => {
  using at = sessionPlace();
  const usage = { input: 1, output: 2, cacheRead: 1000, cacheWrite: 0, totalTokens: 1003 };
  const text = jsonl(
    HEADER,
    userEntry("00000001", null, "a"),
    assistantEntry("00000002", "00000001", { usage }),
  );
  const { stdout } = await at.session(["stats", "-"], text);
  expect(stdout).toContain("tokens       1,003 (1 in, 2 out, 1,000 cached)\n");
});

test("session check says what is wrong, where, and what to do, and exits 3 on damage", async () => {
  using at = sessionPlace();
  at.dir.write("s.jsonl", `${SESSION}nonsense\n{"type":"message","id":"00000006","parentId":"gone","mess`);
  const { code, stdout, stderr } = await at.session(["check", "s.jsonl"]);
  expect(code).toBe(3);
  expect(stdout).toBe(
    's.jsonl:8: error not-json: the line is not JSON (it begins "nonsense")\n' +
      "    The line is left out; restore it from a copy, or delete it.\n" +
      "s.jsonl:9: error torn-line: the line ends in the middle, after 57 bytes\n" +
      "    A writer was stopped in the middle of this line; what came before it is whole.\n",
  );
  expect(stderr).toBe("agent: 6 entries checked (pi-v3): 2 errors, 0 warnings\n");
  const json = await at.session(["check", "s.jsonl", "--output", "json"]);
  expect(json.code).toBe(3);
  expect(JSON.parse(json.stdout)).toMatchObject({
    ok: false,
    format: "pi-v3",
    problems: [
      {
        line: 8,
        code: "not-json",
        severity: "error",
        problem: expect.any(String),
        advice: expect.any(String),
      },
      { line: 9, code: "torn-line" },
    ],
  });
});

test("session check exits 0 on oddities that lose nothing, and 65 on what is no session", async () => {
  using at = sessionPlace();
  at.dir.write("s.jsonl", jsonl(HEADER, { ...userEntry("00000001", null), timestamp: undefined }));
  expect(await at.session(["check", "s.jsonl"])).toMatchObject({ code: 0 });
  at.dir.write("no.jsonl", "hello\n");
  expect(await at.session(["check", "no.jsonl"])).toMatchObject({ code: 65, stdout: "" });
  at.dir.write("empty.jsonl", "");
  for (const command of ["check", "show", "stats"])
    expect(await at.session([command, "empty.jsonl"])).toMatchObject({ code: 65, stdout: "" });
});

test("session show gives an escape sequence to a pipe as it is", async () => {
  using at = sessionPlace();
  at.dir.write("s.jsonl", jsonl(HEADER, userEntry("00000001", null, "a\u001b[31mred")));
  expect((await at.session(["show", "s.jsonl"])).stdout).toContain("a\u001b[31mred");
});

test("session show prints a session of some megabytes whole to a slow reader, and ends quietly when one leaves", async () => {
  using at = sessionPlace();
  const many = Array.from({ length: 3_000 }, (_, index) =>
    userEntry(`e${index}`, index === 0 ? null : `e${index - 1}`, `${index} `.repeat(200)),
  );
  const path = at.dir.write("s.jsonl", jsonl(HEADER, ...many));
  const { AGENT_BINARY } = await import("../testing/spawn.ts");
  const shell = (command: string) =>
    Bun.spawnSync(["sh", "-c", command], {
      cwd: at.dir.path,
      env: { HOME: at.dir.path, PATH: process.env["PATH"] ?? "" },
    });
  const slow = shell(`${AGENT_BINARY} session show s.jsonl --output json | (sleep 1; wc -c)`);
  expect(Number(slow.stdout.toString())).toBeGreaterThan(readFileSync(path).length - 1_000);
  const left = shell(`(${AGENT_BINARY} session show s.jsonl; echo $? >&2) | head -1`);
  expect(left.stderr.toString()).toBe("141\n");
});
