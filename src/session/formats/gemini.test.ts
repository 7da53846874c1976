import { expect, test } from "bun:test";
import { conversation, convertBytes, convertFixture, jsonLines, outline } from "../../testing/conversion.ts";

const CONVERSATION = [
  "user: List the sails. + <image/png, 96>",
  'assistant, toolUse: (Sails\nThey are in the loft.) + I look. + run_shell_command c1 {"command":"ls loft"} + read_file c2 {"file_path":"sails.txt"} + write_file c3 {"file_path":"x"} + glob c4 {"pattern":"*"}',
  "result of run_shell_command c1, failed: Output: ls: loft: No such file\nExit Code: 2",
  "result of read_file c2, failed: File not found",
  "result of write_file c3, failed: ",
  "assistant, stop: There are no sails.",
];

test("gemini: a document's messages, calls and results", async () => {
  const { header, entries, report } = await convertFixture("gemini.json");
  expect(header.id).toBe("99999999-0000-4111-8222-333333333333");
  expect(conversation(entries)).toEqual(CONVERSATION);
  expect(outline(entries)).toContain("custom gemini:info");
  expect(report.callsWithoutResult).toBe(1);
  const usages = entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "assistant" ? [entry.message.usage] : [],
  );
  expect(usages).toEqual([
    { input: 60, output: 15, cacheRead: 40, cacheWrite: 0, totalTokens: 115 },
    { input: 20, output: 6, cacheRead: 100, cacheWrite: 0, totalTokens: 126 },
  ]);
});

test("gemini: of a message that comes again under its id the last version is taken; a rewind is a branch", async () => {
  const { entries, report } = await convertFixture("gemini.jsonl");
  expect(conversation(entries)).toEqual([
    ...CONVERSATION,
    "user: Sew one.",
    "assistant, stop: Sewn.",
    "user: Buy one.",
    "assistant, stop: Bought.",
  ]);
  const buy = entries.find((entry) => outline([entry])[0] === "user: Buy one.");
  const parent = entries.find((entry) => entry.id === buy?.parentId);
  expect(parent === undefined ? [] : outline([parent])).toEqual(["assistant, stop: There are no sails."]);
  expect(report.counted).toEqual([
    { kind: "$set", reason: "bookkeeping", count: 2 },
    { kind: "earlier version of a message", reason: "repeats", count: 1 },
  ]);
});

test("gemini: a patch with all messages adds what is new, and does not take the history away", async () => {
  const message = (id: string, content: string) => ({
    id,
    type: "user",
    content,
    timestamp: "2026-01-01T00:00:00Z",
  });
  const [a, b, c] = [message("a", "one"), message("b", "two"), message("c", "summary of one and two")];
  const { entries, report } = await convertBytes(
    jsonLines(
      { sessionId: "s", projectHash: "h" },
      a,
      b,
      { $set: { messages: [c, b] } },
      message("d", "three"),
    ),
  );
  expect(conversation(entries)).toEqual([
    "user: one",
    "user: two",
    "user: summary of one and two",
    "user: three",
  ]);
  expect(report.counted).toEqual([
    { kind: "$set", reason: "bookkeeping", count: 1 },
    { kind: "$set: message told before", reason: "repeats", count: 1 },
  ]);
});

test("gemini: what was typed is the request, not the files that were put in for it", async () => {
  const sent = [{ text: "Read @a.ts" }, { text: "--- a.ts ---\nexport const a = 1;" }];
  const user = {
    id: "a",
    type: "user",
    content: sent,
    displayContent: [{ text: "Read @a.ts" }],
    timestamp: "2026-01-01T00:00:00Z",
  };
  const { entries } = await convertBytes(jsonLines({ sessionId: "s", projectHash: "h" }, user));
  expect(conversation(entries)).toEqual([
    "injected gemini:expanded: Read @a.ts + --- a.ts ---\nexport const a = 1;",
    "user: Read @a.ts",
  ]);
});

test("gemini: a version that comes hundreds of messages later is reported, and the first stays", async () => {
  const message = (id: number, content: string) => ({
    id: `m${id}`,
    type: "user",
    content,
    timestamp: "2026-01-01T00:00:00Z",
  });
  const many = Array.from({ length: 200 }, (_, index) => message(index, `text ${index}`));
  const { entries, report } = await convertBytes(
    jsonLines({ sessionId: "s", projectHash: "h" }, ...many, message(0, "changed")),
  );
  expect(conversation(entries)).toEqual(many.map((line) => `user: ${line.content}`));
  expect(report.counted).toEqual([{ kind: "late version of a message", reason: "repeats", count: 1 }]);
  expect(report.problems.map((problem) => [problem.line, problem.code])).toEqual([[202, "late-update"]]);
});

test("gemini: images of a result are kept, and one of an answer is named and counted", async () => {
  const image = { inlineData: { data: "aGk=", mimeType: "image/png" } };
  const functionResponse = { id: "c", name: "look", response: { output: "seen" }, parts: [image] };
  const answer = {
    id: "a",
    type: "gemini",
    content: [{ text: "Drawn." }, image],
    toolCalls: [{ id: "c", name: "look", args: {}, status: "success", result: [{ functionResponse }] }],
    timestamp: "2026-01-01T00:00:00Z",
  };
  const { entries, report } = await convertBytes(jsonLines({ sessionId: "s", projectHash: "h" }, answer));
  expect(conversation(entries)).toEqual([
    "assistant, toolUse: Drawn. + [image, image/png, left out] + look c {}",
    "result of look c: seen + <image/png, 4>",
  ]);
  expect(report.counted).toEqual([{ kind: "image in an answer", reason: "no place", count: 1 }]);
});
