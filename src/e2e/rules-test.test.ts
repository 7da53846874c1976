// `agent rules test` through the binary: a text from everywhere, and sessions of ours and of another agent.

import { describe, expect, test } from "bun:test";
import { rulesPlace, ruleText } from "../testing/rules-command.ts";

const RULES = {
  "no-any": ruleText("condition: ':\\s*any\\b'\nglobs: '*.ts'\nscope: tool:write, tool:edit"),
  word: ruleText("condition: '\\bnever\\b'\nseverity: warning"),
};
const NEVER = 'text:1:4: word (warning) in text: "never"\n';

describe("rules test", () => {
  test("reads a text from a flag, a file, stdin, and - for stdin", async () => {
    using place = rulesPlace(RULES);
    place.dir.write("a.txt", "I  never\n");
    for (const [args, stdin, from] of [
      [["--text", "I  never"], undefined, "text"],
      [["a.txt"], undefined, "a.txt"],
      [[], "I  never", "stdin"],
      [["-"], "I  never", "stdin"],
    ] as const) {
      const { code, stdout } = await place.rules(["test", ...args], stdin);
      expect({ code, stdout }).toEqual({ code: 3, stdout: NEVER.replace("text", from) });
    }
  });

  test("exits 0 when no rule fires, also where the beginning of a match stands at the end", async () => {
    using place = rulesPlace(RULES);
    expect(await place.rules(["test", "--text", "nevertheless"])).toEqual({
      code: 0,
      signal: null,
      stdout: "",
      stderr: "agent: no rule fires\n",
    });
  });

  test("takes the text for what --as says", async () => {
    using place = rulesPlace(RULES);
    const text = ["--text", "let x: any;"];
    const codes = [];
    for (const as of ["tool:write(src/a.ts)", "tool:write(a.md)", "tool:bash", "text", "thinking"]) {
      codes.push((await place.rules(["test", "--as", as, ...text])).code);
    }
    expect(codes).toEqual([3, 0, 0, 0, 0]);
  });

  test("gives offset, line, column and the matched text as JSON", async () => {
    using place = rulesPlace(RULES);
    const { stdout } = await place.rules(["test", "--output", "json"], "one\n😀 never!");
    expect(JSON.parse(stdout)).toEqual({
      matches: [
        {
          rule: "word",
          severity: "warning",
          stream: "text",
          at: 7,
          end: 12,
          firesAt: 13,
          line: 2,
          column: 4,
          text: "never",
        },
      ],
    });
  });

  test("tests every assistant message of a session, the abandoned ones too", async () => {
    using place = rulesPlace(RULES);
    const message = (id: string, parentId: string | null, value: object) =>
      JSON.stringify({
        type: "message",
        id,
        parentId,
        timestamp: "2026-01-02T03:04:05.000Z",
        message: value,
      });
    const assistant = (content: readonly object[], stopReason = "stop") => ({
      role: "assistant",
      content,
      api: "x",
      provider: "x",
      model: "x",
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
      stopReason,
      timestamp: 1,
    });
    const call = { path: `${place.dir.path}/src/a.ts`, content: "let x: any;" };
    place.dir.write(
      "s.jsonl",
      [
        JSON.stringify({
          type: "session",
          version: 3,
          id: "01900000-0000-7000-8000-000000000000",
          timestamp: "2026-01-02T03:04:05.000Z",
          cwd: place.dir.path,
        }),
        message("00000001", null, { role: "user", content: "never say never", timestamp: 1 }),
        message("00000002", "00000001", assistant([{ type: "text", text: "I never" }], "aborted")),
        message("00000003", "00000001", assistant([{ type: "text", text: "I never" }])),
        message(
          "00000004",
          "00000003",
          assistant([{ type: "toolCall", id: "c", name: "write", arguments: call }]),
        ),
        "",
      ].join("\n"),
    );
    const { code, stdout } = await place.rules(["test", "--session", "s.jsonl", "--output", "json"]);
    expect(code).toBe(3);
    const { matches } = JSON.parse(stdout);
    expect(
      matches.map((match: Record<string, unknown>) => [
        match["entryId"],
        match["rule"],
        match["stream"],
        match["text"],
      ]),
    ).toEqual([
      ["00000003", "word", "text", "never"],
      ["00000004", "no-any", "tool:write", ": any"],
    ]);
  });

  test("says of a session that not all of it could be read", async () => {
    using place = rulesPlace(RULES);
    const header = { type: "session", version: 3, id: "x", timestamp: "2026-01-02T03:04:05.000Z", cwd: "/" };
    place.dir.write("s.jsonl", `${JSON.stringify(header)}\n{"type":"message","id":"00000001","par\n`);
    const { code, stdout, stderr } = await place.rules(["test", "--session", "s.jsonl"]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "",
      stderr:
        "agent: warning: the session has 1 problem; agent session check says which\nagent: no rule fires\n",
    });
  });

  test.each([
    [["--as", "file"], 2, "is not a stream"],
    [["--as", "tool"], 2, "is not a stream"],
    [["a", "b"], 2, "takes one file"],
    [["--session", "x.jsonl", "--text", "a"], 2, "tested alone"],
    [["missing.txt"], 66, "Cannot read"],
    [["/dev/zero"], 1, "Cannot read"],
    [["--session", "missing.jsonl"], 66, "missing.jsonl"],
    [[], 2, "nothing to test"],
  ])("%j ends with %i", async (args, expected, words) => {
    using place = rulesPlace(RULES);
    const { code, stdout, stderr } = await place.rules(["test", ...args]);
    expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
    expect(stderr).toContain(words);
  });
});
