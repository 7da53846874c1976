import { expect, test } from "bun:test";
import { convertBytes, convertFixture, jsonLines, outline } from "../../testing/conversion.ts";

test("copilot: what was typed, requests with their results, rewinds and compactions", async () => {
  const { header, entries, report } = await convertFixture("copilot.jsonl");
  expect(header).toEqual({
    type: "session",
    version: 3,
    id: "12121212-3434-4565-8787-909090909090",
    timestamp: "2026-06-01T10:00:00.000Z",
    cwd: "/srv/forge",
  });
  const lines = outline(entries);
  expect(lines).toEqual([
    "custom git",
    "model github-copilot/claude-sonnet-4.6",
    "user: Heat the iron. + [attached iron.md]",
    "custom copilot:assistant.turn_start",
    'assistant, toolUse: (Fire first.) + Lighting the fire. + bash t1 {"command":"light","description":"light it"} + view t2 {"path":"/srv/forge/iron.md"}',
    "result of view t2: 1. iron",
    "result of bash t1, failed: no matches\n<exited with exit code 1>",
    "custom copilot:assistant.turn_end",
    "custom copilot:subagent",
    "custom copilot:subagent",
    'assistant, toolUse: report_intent t4 {"intent":"heating"}',
    "result of report_intent t4, failed: denied",
    "assistant, stop: It is cold.",
    "user: Hammer it.",
    "assistant, stop: Clang.",
    "custom copilot:session.snapshot_rewind",
    "user: Cool it.",
    "compaction of 9000: Fire was lit.",
    'assistant, aborted: Cooling. + bash t9 {"command":"cool"}',
    "custom copilot:abort",
    "custom copilot:session.shutdown",
  ]);
  const cool = entries[lines.indexOf("user: Cool it.")];
  expect(lines[entries.findIndex((entry) => entry.id === cool?.parentId)]).toBe(
    "assistant, stop: It is cold.",
  );
  expect([report.calls, report.callsWithoutResult, report.counted]).toEqual([
    4,
    1,
    [
      { kind: "system.message", reason: "bookkeeping", count: 1 },
      { kind: "tool.execution_start", reason: "repeats", count: 2 },
    ],
  ]);
});

const START = { type: "session.start", data: { sessionId: "s", context: { cwd: "/srv" } }, id: "e0" };

test("copilot: what was attached is an image, or a text that names it; a selection keeps its text", async () => {
  const attachments = [
    { type: "blob", data: "aGk=", mimeType: "image/png", displayName: "shot" },
    { type: "blob", data: "aGk=", mimeType: "application/pdf" },
    { type: "selection", filePath: "/srv/a.ts", displayName: "a.ts", text: "const a = 1;" },
    { type: "github_reference", number: 7, title: "It is cold", url: "https://example.org/7" },
    { type: "directory", path: "/srv" },
    { type: "odd" },
  ];
  const user = { type: "user.message", data: { content: "Look.", attachments }, id: "e1" };
  const { entries } = await convertBytes(jsonLines(START, user));
  expect(outline(entries)).toEqual([
    "user: Look. + <image/png, 4> + [attached application/pdf] + [attached a.ts]\nconst a = 1; + [attached It is cold] + [attached /srv] + [attached odd]",
  ]);
});

test("copilot: events that name an agent are a subagent's, not the session's", async () => {
  const event = (id: string, content: string, more: object = {}) => ({
    type: "assistant.message",
    data: { messageId: id, content },
    id,
    ...more,
  });
  const { entries } = await convertBytes(
    jsonLines(START, event("e1", "I ask one."), event("e2", "I am one.", { agentId: "a1" })),
  );
  expect(outline(entries)).toEqual(["custom copilot:subagent", "assistant, stop: I ask one."]);
  expect(entries[0]).toMatchObject({ data: { agentId: "a1", content: "I am one." } });
});
