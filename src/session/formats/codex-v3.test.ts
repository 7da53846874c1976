import { expect, test } from "bun:test";
import { conversation, convertBytes, convertFixture, jsonLines, outline } from "../../testing/conversion.ts";

test("codex-v3: response items are taken, events that repeat them are counted", async () => {
  const { header, entries, report } = await convertFixture("codex-v3.jsonl");
  expect(header).toEqual({
    type: "session",
    version: 3,
    id: "019c0000-1111-7222-8333-444444444444",
    timestamp: "2026-03-02T14:00:00.000Z",
    cwd: "/srv/mill",
  });
  expect(outline(entries)).toEqual([
    "custom git",
    "injected codex:developer: <permissions instructions>\nAsk first.\n</permissions instructions>",
    "injected codex:user_instructions: # AGENTS.md instructions for /srv/mill\n\n<INSTRUCTIONS>\nGrind gently.\n</INSTRUCTIONS>",
    "injected codex:environment_context: <environment_context>\n  <cwd>/srv/mill</cwd>\n  <shell>bash</shell>\n</environment_context>",
    "custom codex:task_started",
    "user: Why is the flour coarse? + <image/png, 96>",
    "model openai/gpt-5.3-codex",
    "thinking level high",
    'assistant, toolUse: (**Looking at the stones**) + shell call_1 {"command":["bash","-lc","cat stones.toml"],"workdir":"/srv/mill"} + shell_command call_2 {"command":"make test","workdir":"/srv/mill"}',
    "result of shell call_1: gap = 3\n",
    "result of shell_command call_2, failed: Exit code: 2\nWall time: 0.4 seconds\nOutput:\nmake: *** [test] Error 1\n",
    'assistant, toolUse: apply_patch call_3 {"input":"*** Begin Patch\\n*** Update File: stones.toml\\n@@\\n-gap = 3\\n+gap = 1\\n*** End Patch"}',
    "result of apply_patch call_3: Success. Updated the following files:\nM stones.toml\n",
    'assistant, toolUse: exec_command call_4 {"cmd":"make test","yield_time_ms":1000}',
    "result of exec_command call_4: Chunk ID: 1\nWall time: 0.2 seconds\nProcess exited with code 0\nOutput:\nok",
    'assistant, toolUse: web_search ws_1 {"type":"search","query":"flour fineness"}',
    "result of web_search ws_1: ",
    "assistant, stop: The gap was too wide; it is 1 now.",
    "custom codex:task_complete",
    "user: And the bran?",
    'assistant, aborted: exec_command call_5 {"input":"{not json"}',
    "custom codex:turn_aborted",
    "injected codex:notification: <turn_aborted>\nThe user interrupted.\n</turn_aborted>",
    "custom codex:ghost_snapshot",
  ]);
  expect({ ...report, kept: [] }).toEqual({
    format: "codex-v3",
    writtenBy: "0.104.0",
    objects: 35,
    messages: { total: 13, user: 2, assistant: 6, toolResult: 5, other: 0 },
    calls: 6,
    callsWithoutResult: 1,
    resultsWithoutCall: 0,
    compactions: 0,
    branches: 0,
    kept: [],
    counted: [
      { kind: "session_meta:instructions", reason: "bookkeeping", count: 1 },
      { kind: "event_msg:user_message", reason: "repeats", count: 1 },
      { kind: "event_msg:token_count", reason: "bookkeeping", count: 5 },
      { kind: "event_msg:agent_reasoning", reason: "repeats", count: 1 },
      { kind: "reasoning", reason: "empty", count: 1 },
      { kind: "event_msg:patch_apply_end", reason: "repeats", count: 1 },
      { kind: "event_msg:exec_command_end", reason: "repeats", count: 1 },
      { kind: "event_msg:agent_message", reason: "repeats", count: 1 },
    ],
    problems: [],
    moreProblems: 0,
  });
});

test("codex-v3: token counts that come again are counted once, and their sum is the session's", async () => {
  const { entries } = await convertFixture("codex-v3.jsonl");
  const usages = entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "assistant" ? [entry.message.usage] : [],
  );
  const sum = (key: "input" | "output" | "cacheRead") =>
    usages.reduce((total, usage) => total + usage[key], 0);
  expect({ input: sum("input"), cacheRead: sum("cacheRead"), output: sum("output") }).toEqual({
    input: 190,
    cacheRead: 410,
    output: 90,
  });
});

test("codex-v3: the exit status is found in each of its homes", async () => {
  const { entries } = await convertFixture("codex-v3.jsonl");
  const details = entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "toolResult"
      ? [[entry.message.toolCallId, entry.message.details]]
      : [],
  );
  expect(details).toEqual([
    ["call_1", { exitCode: 0 }],
    ["call_2", { exitCode: 2 }],
    ["call_3", { success: true, exitCode: 0 }],
    ["call_4", { exitCode: 0 }],
    ["ws_1", { ranOnServer: true }],
  ]);
});

test("codex-v3: a compaction's summary is its message, or the text of the history that replaced the old one", async () => {
  const { entries } = await convertFixture("codex-v3-compacted.jsonl");
  expect(conversation(entries)).toEqual([
    "user: First task.",
    "assistant, stop: First answer.",
    "compaction of 510: The first task is done.",
    "user: Second task.",
    "assistant, stop: Second answer.",
    "compaction of 510: user: Second task.\n\nassistant: Second answer.",
    "user: Third task.",
  ]);
});

test("codex-v3: turns that were rolled back are a branch that was left", async () => {
  const line = (type: string, payload: object) => ({ timestamp: "2026-01-01T00:00:00Z", type, payload });
  const said = (role: string, text: string) =>
    line("response_item", { type: "message", role, content: text });
  const back = (num_turns: number) => line("event_msg", { type: "thread_rolled_back", num_turns });
  const { entries, report } = await convertBytes(
    jsonLines(
      ...[said("user", "one"), said("assistant", "1"), said("user", "two"), said("assistant", "2")],
      ...[said("user", "three"), said("assistant", "3"), back(2), said("user", "four"), back(99)],
    ),
  );
  const lines = outline(entries);
  const four = entries[lines.indexOf("user: four")];
  expect(lines[entries.findIndex((entry) => entry.id === four?.parentId)]).toBe("assistant, stop: 1");
  expect([report.branches, report.messages.user]).toEqual([1, 4]);
});

test("codex-v3: a call without output does not draw the later answers into its message", async () => {
  const item = (payload: object) => ({ timestamp: "2026-01-01T00:00:00Z", type: "response_item", payload });
  const call = (call_id: string) => item({ type: "function_call", name: "shell", arguments: "{}", call_id });
  const output = (call_id: string) => item({ type: "function_call_output", call_id, output: "ok" });
  const secret = item({ type: "reasoning", summary: [], encrypted_content: "gAAA" });
  const { entries } = await convertBytes(
    jsonLines(
      ...[
        call("a"),
        call("lost"),
        output("a"),
        secret,
        call("b"),
        output("b"),
        secret,
        call("c"),
        output("c"),
      ],
    ),
  );
  expect(conversation(entries)).toEqual([
    "assistant, toolUse: shell a {} + shell lost {}",
    "result of shell a: ok",
    "assistant, toolUse: shell b {}",
    "result of shell b: ok",
    "assistant, toolUse: shell c {}",
    "result of shell c: ok",
  ]);
});

test("codex-v3: pretty-printed objects one after another are read", async () => {
  const { entries, lines, report } = await convertFixture("codex-v3-pretty.jsonl");
  expect(conversation(entries)).toEqual(["user: Grind on.", "assistant, stop: Grinding."]);
  expect([
    report.objects,
    report.problems,
    lines.every((line, index) => line >= (lines[index - 1] ?? 1)),
  ]).toEqual([4, [], true]);
});

test("codex-v3: a file with its meta line only is a session without messages", async () => {
  const { header, entries } = await convertFixture("codex-v3-only-meta.jsonl");
  expect([header.cwd, outline(entries)]).toEqual(["/srv/mill", ["custom git"]]);
  expect(entries[0]).toMatchObject({
    data: { branch: "main", commit: "9c1d2e3", repository: "git@git.example.org:mill.git" },
  });
});
