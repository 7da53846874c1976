import { expect, test } from "bun:test";
import { assistantEntry, chunksOf, HEADER, jsonl, timeAt, userEntry } from "../testing/session-text.ts";
import { sessionStats } from "./stats.ts";

function calls(id: string, parentId: string, ...blocks: readonly (readonly [string, string, object])[]) {
  const content = blocks.map(([callId, name, args]) => ({
    type: "toolCall",
    id: callId,
    name,
    arguments: args,
  }));
  return assistantEntry(id, parentId, { content, stopReason: "toolUse" });
}

function result(id: string, parentId: string, toolCallId: string, more: object = {}) {
  const message = {
    role: "toolResult",
    toolCallId,
    toolName: "t",
    content: [],
    isError: false,
    timestamp: 1,
    ...more,
  };
  return { type: "message", id, parentId, timestamp: timeAt(9), message };
}

test("sessionStats() counts messages, turns, tokens, tools, files, commands and errors", async () => {
  const text = jsonl(
    HEADER,
    userEntry("a", null),
    calls(
      "b",
      "a",
      ["1", "bash", { command: "false" }],
      ["2", "read", { path: "x.ts" }],
      ["3", "edit", { path: "x.ts" }],
    ),
    result("c", "b", "1", { details: { exitCode: 1 }, isError: true }),
    result("d", "c", "2"),
    result("e", "d", "3"),
    // The id of a call used again, and a command that went well.
    calls("f", "e", ["1", "bash", { command: "true" }], ["4", "write", { path: "y.ts" }]),
    result("g", "f", "1", { details: { exitCode: 0 } }),
    result("h", "g", "4"),
    assistantEntry("i", "h", { stopReason: "aborted" }),
    assistantEntry("j", "i", { stopReason: "error", errorMessage: "x" }),
    {
      type: "message",
      id: "k",
      parentId: "j",
      timestamp: timeAt(20),
      message: {
        role: "bashExecution",
        command: "ls",
        output: "",
        exitCode: 2,
        cancelled: false,
        truncated: false,
      },
    },
    {
      type: "compaction",
      id: "l",
      parentId: "k",
      timestamp: timeAt(5),
      summary: "s",
      firstKeptEntryId: "k",
      tokensBefore: 1,
    },
    "garbage",
  );
  expect(await sessionStats(chunksOf(text), "s")).toEqual({
    id: HEADER.id,
    format: "pi-v3",
    cwd: HEADER.cwd,
    entries: 12,
    messages: { total: 11, user: 1, assistant: 4, toolResult: 5, other: 1 },
    turns: 3,
    tokens: { input: 4, output: 8, total: 12 },
    compactions: 1,
    tools: { bash: 2, edit: 1, read: 1, write: 1 },
    files: [
      { path: "x.ts", reads: 1, writes: 0, edits: 1 },
      { path: "y.ts", reads: 0, writes: 1, edits: 0 },
    ],
    commands: { total: 3, failed: 2 },
    errors: { answers: 1, tools: 1 },
    firstTimestamp: timeAt(1),
    lastTimestamp: timeAt(20),
    problems: [{ line: 14, code: "not-json", problem: 'the line is not JSON (it begins "garbage")' }],
  });
});

test("sessionStats() counts no call of an answer that was cut, unless its result shows that it ran", async () => {
  const cut = (id: string, parentId: string, ...blocks: Parameters<typeof calls>[2][]) => {
    const { message, ...entry } = calls(id, parentId, ...blocks);
    return { ...entry, message: { ...message, stopReason: "aborted" } };
  };
  const notRun = [{ type: "text", text: "not run, interrupted by rule no-curl" }];
  const text = jsonl(
    HEADER,
    userEntry("a", null),
    // A rule cut the first answer, whose id is used again; the session went back.
    cut("b", "a", ["1", "bash", { partialJson: '{"command":"curl' }]),
    calls("c", "a", ["1", "bash", { command: "ls" }]),
    result("d", "c", "1", { details: { exitCode: 0 } }),
    // Kept, and not run.
    cut("e", "d", ["2", "bash", { command: "curl x" }], ["3", "write", { path: "x.ts" }]),
    result("f", "e", "2", { content: notRun, isError: true }),
    result("g", "f", "3", { content: notRun, isError: true }),
    // Another agent's answer that the user stopped while its second call ran.
    cut("h", "g", ["4", "bash", { command: "false" }], ["5", "bash", { command: "sleep 9" }]),
    result("i", "h", "4", { details: { exitCode: 1 }, isError: true }),
  );
  expect(await sessionStats(chunksOf(text), "s")).toMatchObject({
    tools: { bash: 2 },
    files: [],
    commands: { total: 2, failed: 1 },
  });
});

test("sessionStats() gives nulls for a session without entries", async () => {
  expect(await sessionStats(chunksOf(jsonl(HEADER)), "s")).toMatchObject({
    entries: 0,
    firstTimestamp: null,
    lastTimestamp: null,
  });
});

test("sessionStats() counts a command once that is written to while it runs", async () => {
  const ended = (code: number) => ({ content: [{ type: "text", text: `Process exited with code ${code}` }] });
  const text = jsonl(
    HEADER,
    calls("a", "a", ["1", "exec_command", { cmd: "./ask" }]),
    result("b", "a", "1", { content: [{ type: "text", text: "Process running with session ID 7" }] }),
    calls("c", "b", ["2", "write_stdin", { session_id: 7, chars: "y" }]),
    result("d", "c", "2", ended(1)),
  );
  expect((await sessionStats(chunksOf(text), "s")).commands).toEqual({ total: 1, failed: 1 });
});
