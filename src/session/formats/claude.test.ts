import { expect, test } from "bun:test";
import { conversation, convertBytes, convertFixture, jsonLines, outline } from "../../testing/conversion.ts";
import type { Entry } from "../entry.ts";

const usageOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "assistant" ? [entry.message.usage.output] : [],
  );

test("claude: lines of one message are joined, in file order, with their results after them", async () => {
  const { header, entries, report } = await convertFixture("claude-basic.jsonl");
  expect(header).toEqual({
    type: "session",
    version: 3,
    id: "7c1f0d52-9a44-4d0e-8f5b-0e6c1c5b2a10",
    timestamp: "2026-05-04T09:00:02.000Z",
    cwd: "/srv/kettle",
  });
  expect(outline(entries)).toEqual([
    "custom claude:permission-mode",
    "custom claude:file-history-snapshot",
    "custom git",
    "user: Make the kettle whistle when the water boils.",
    "model anthropic/claude-opus-4-7",
    'assistant, toolUse: (I should look at the sensor first.) + I will look at the sensor. + Read toolu_a {"file_path":"/srv/kettle/src/sensor.ts"} + Bash toolu_b {"command":"npm test","description":"Run the tests"}',
    "result of Read toolu_a: 1→export const boils = 100;",
    "result of Bash toolu_b, failed: Exit code 1\nFAIL src/whistle.test.ts",
    "custom claude:progress:bash_progress",
    "custom cwd",
    `assistant, toolUse: The test wants a whistle; I add one. + Write toolu_c {"file_path":"/srv/kettle/src/whistle.ts","content":"export const whistle = () => '♪';\\n"}`,
    "result of Write toolu_c: File created successfully at: /srv/kettle/src/whistle.ts",
    "name A whistling kettle",
    "assistant, stop: Done: it whistles.",
    "custom claude:system:turn_duration",
    "custom claude:pr-link",
    "custom claude:last-prompt",
  ]);
  expect(report).toEqual({
    format: "claude",
    writtenBy: "2.1.90",
    objects: 18,
    messages: { total: 7, user: 1, assistant: 3, toolResult: 3, other: 0 },
    calls: 3,
    callsWithoutResult: 0,
    resultsWithoutCall: 0,
    compactions: 0,
    branches: 0,
    kept: [
      "claude:permission-mode",
      "claude:file-history-snapshot",
      "git",
      "claude:progress:bash_progress",
      "cwd",
      "claude:system:turn_duration",
      "claude:pr-link",
      "claude:last-prompt",
    ].map((customType) => ({ customType, count: 1 })),
    counted: [],
    problems: [],
    moreProblems: 0,
  });
});

test("claude: usage that stands on each line of a message is counted once, as the last line tells it", async () => {
  const { entries } = await convertFixture("claude-basic.jsonl");
  expect(usageOf(entries)).toEqual([60, 33, 7]);
});

test("claude: usage is counted once also where a prompt splits the lines of a message", async () => {
  const line = (uuid: string, more: object) => ({
    sessionId: "s",
    cwd: "/srv",
    uuid,
    timestamp: "2026-01-01T00:00:00Z",
    ...more,
  });
  const part = (uuid: string, text: string, output_tokens: number) =>
    line(uuid, {
      type: "assistant",
      message: { id: "msg_1", model: "m", content: [{ type: "text", text }], usage: { output_tokens } },
    });
  const prompt = line("u2", { type: "user", message: { role: "user", content: "wait" } });
  const { entries } = await convertBytes(jsonLines(part("u1", "one", 5), prompt, part("u3", "two", 8)));
  expect(usageOf(entries)).toEqual([5, 3]);
});

test("claude: several directories, and times that go backwards, are kept as they are", async () => {
  const { entries } = await convertFixture("claude-basic.jsonl");
  const cwd = entries.find((entry) => entry.type === "custom" && entry.customType === "cwd");
  expect(cwd).toMatchObject({ data: { cwd: "/srv/kettle/src" } });
  const times = entries
    .filter((entry) => entry.type === "message")
    .map((entry) => entry.timestamp.slice(11, 19));
  expect(times).toEqual(["09:00:02", "09:00:04", "09:00:14", "08:59:59", "09:00:16", "09:00:20", "09:00:22"]);
});

test("claude: a file with one snapshot line, or with API errors only, is a session without messages", async () => {
  const snapshot = await convertFixture("claude-only-snapshot.jsonl");
  expect([snapshot.header.timestamp, outline(snapshot.entries)]).toEqual([
    "2026-05-04T09:00:00.000Z",
    ["custom claude:file-history-snapshot"],
  ]);
  const errors = await convertFixture("claude-only-errors.jsonl");
  expect(outline(errors.entries)).toEqual(["custom git", "custom claude:system:api_error"]);
  expect(errors.report.messages.total).toBe(0);
});

test("claude: an API error is a message that failed, and its <synthetic> model is nobody's", async () => {
  const { entries } = await convertFixture("claude-api-errors.jsonl");
  expect(outline(entries)).toEqual([
    "custom git",
    "user: Boil.",
    "custom claude:system:api_error",
    "model anthropic/claude-opus-4-7",
    "assistant, stop: Warming up.",
    "assistant, error: API Error: 529 overloaded",
    "custom claude:synthetic",
  ]);
  expect(entries[5]).toMatchObject({
    message: { model: "claude-opus-4-7", errorMessage: "API Error: 529 overloaded" },
  });
});

test("claude: thousands of queue operations around four messages are kept up to a bound, and counted", async () => {
  const queue = (index: number) => ({
    type: "queue-operation",
    operation: index % 2 === 0 ? "enqueue" : "dequeue",
    sessionId: "s",
    timestamp: "2026-01-01T00:00:00Z",
  });
  const user = (uuid: string, content: string) => ({
    type: "user",
    sessionId: "s",
    cwd: "/srv",
    uuid,
    timestamp: "2026-01-01T00:00:00Z",
    message: { role: "user", content },
  });
  const lines = Array.from({ length: 3_000 }, (_, index) => queue(index));
  const { entries, report } = await convertBytes(
    jsonLines(...lines, user("a", "one"), user("b", "two"), ...lines, user("c", "three"), user("d", "four")),
  );
  expect(conversation(entries)).toEqual(["user: one", "user: two", "user: three", "user: four"]);
  expect(report.kept).toEqual([{ customType: "claude:queue-operation", count: 100 }]);
  expect(report.counted).toEqual([
    { kind: "claude:queue-operation", reason: "more of the same", count: 5_900 },
  ]);
});

test("claude: a line whose message is missing is reported and counted, and the rest is read", async () => {
  const line = (uuid: string, more: object) => ({
    sessionId: "s",
    cwd: "/srv",
    uuid,
    timestamp: "2026-01-01T00:00:00Z",
    ...more,
  });
  const { entries, report } = await convertBytes(
    jsonLines(
      line("a", { type: "assistant", message: 7 }),
      line("b", { type: "user", message: { role: "user", content: null } }),
      line("c", { type: "user", message: { role: "user", content: "hello" } }),
    ),
  );
  expect(conversation(entries)).toEqual(["user: hello"]);
  expect(report.problems.map(({ line: at, code }) => [at, code])).toEqual([[1, "bad-value"]]);
  expect(report.counted).toEqual([
    { kind: "assistant", reason: "no place", count: 1 },
    { kind: "user", reason: "empty", count: 1 },
  ]);
});
