import { expect, test } from "bun:test";
import fc from "fast-check";
import { isObject, type JsonObject } from "../base/json.ts";
import { timeAt } from "../testing/session-text.ts";
import { decodeEntry, encodeEntry, encodeHeader } from "./codec.ts";
import { newHeader } from "./header.ts";

const PLACE = { id: "0000000a", parentId: "00000009", timestamp: timeAt(3) };

function decode(object: object) {
  const parsed: unknown = JSON.parse(JSON.stringify({ ...PLACE, ...object }));
  return decodeEntry(isObject(parsed) ? parsed : {}, PLACE);
}

const EVERY_ENTRY: readonly object[] = [
  { type: "message", message: { role: "user", content: "hello", timestamp: 1 } },
  {
    type: "message",
    message: {
      role: "user",
      content: [
        { type: "text", text: "look" },
        { type: "image", data: "AAAA", mimeType: "image/png" },
      ],
      timestamp: 1,
    },
  },
  {
    type: "message",
    message: {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", thinkingSignature: "s" },
        { type: "text", text: "so" },
        { type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" }, intent: "list" },
      ],
      api: "ollama",
      provider: "ollama",
      model: "m",
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10, cost: { total: 0 } },
      stopReason: "error",
      errorMessage: "it broke",
      responseId: "r",
      timestamp: 1,
    },
  },
  {
    type: "message",
    message: {
      role: "toolResult",
      toolCallId: "c1",
      toolName: "bash",
      content: [{ type: "text", text: "a.ts" }],
      isError: false,
      details: { exitCode: 0 },
      timestamp: 1,
    },
  },
  {
    type: "message",
    message: {
      role: "bashExecution",
      command: "ls",
      output: "",
      exitCode: 0,
      cancelled: false,
      truncated: false,
      excludeFromContext: true,
      timestamp: 1,
    },
  },
  {
    type: "message",
    message: { role: "custom", customType: "x", content: "c", display: true, details: [1], timestamp: 1 },
  },
  { type: "message", message: { role: "branchSummary", summary: "s", fromId: "f", timestamp: 1 } },
  { type: "message", message: { role: "compactionSummary", summary: "s", tokensBefore: 7, timestamp: 1 } },
  {
    type: "custom_message",
    customType: "x",
    content: [{ type: "text", text: "t" }],
    display: false,
    details: {},
  },
  { type: "custom", customType: "x", data: { a: [1, null] } },
  {
    type: "compaction",
    summary: "s",
    firstKeptEntryId: "00000001",
    tokensBefore: 9,
    details: { readFiles: [] },
  },
  { type: "branch_summary", fromId: "00000001", summary: "s" },
  { type: "ttsr_injection", injectedRules: ["no-any"] },
  { type: "model_change", provider: "ollama", modelId: "m" },
  { type: "thinking_level_change", thinkingLevel: "high" },
  { type: "label", targetId: "00000001", label: "here" },
  { type: "label", targetId: "00000001" },
  { type: "session_info", name: "a name" },
];

test("decodeEntry() gives back what encodeEntry() wrote, for every type", () => {
  for (const object of EVERY_ENTRY) {
    const { entry, missing } = decode(object);
    expect(missing).toBeUndefined();
    expect<unknown>(entry).toEqual({ ...PLACE, ...object });
    expect(JSON.parse(encodeEntry(entry))).toEqual({ ...PLACE, ...object });
  }
});

test("encodeEntry() puts type, id and parent first, on one line whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (content) => {
      const { entry } = decode({ type: "message", message: { role: "user", content, timestamp: 1 } });
      const line = encodeEntry(entry);
      expect(line.startsWith('{"type":"message","id":"0000000a","parentId":"00000009","timestamp":')).toBe(
        true,
      );
      expect(line).not.toMatch(/[\n\r\u2028\u2029]/);
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(entry)));
    }),
  );
});

test("encodeEntry() writes half of a surrogate pair as U+FFFD, so that every JSON reader takes the line", () => {
  const { entry } = decode({ type: "session_info", name: "x" });
  const line = encodeEntry({ ...entry, type: "session_info", name: "a\ud800😀" });
  expect(JSON.parse(line)).toMatchObject({ name: "a\ufffd😀" });
});

test("decodeEntry() keeps what it does not know, whole", () => {
  const raw = { type: "mode_change", mode: "plan", ...PLACE };
  expect<unknown>(decode(raw).entry).toEqual({ type: "unknown", originalType: "mode_change", ...PLACE, raw });
});

test("decodeEntry() names the member that an entry lacks", () => {
  const missing = (object: JsonObject) => decode(object).missing;
  expect(missing({ type: "message" })).toBe("message");
  expect(missing({ type: "message", message: {} })).toBe("message.role");
  expect(missing({ type: "message", message: { role: "robot" } })).toBe('message.role (it is "robot")');
  expect(missing({ type: "message", message: { role: "user" } })).toBe("message.content");
  expect(missing({ type: "message", message: { role: "toolResult", content: [] } })).toBe(
    "message.toolCallId",
  );
  expect(missing({ type: "compaction" })).toBe("summary");
  expect(missing({ type: "model_change", modelId: "m" })).toBe("provider and modelId");
  expect(missing({ type: "label" })).toBe("targetId");
});

test("decodeEntry() never throws, and always gives the place's id and parent", () => {
  const type = fc.constantFrom(...EVERY_ENTRY.map((entry) => ("type" in entry ? entry.type : "")));
  const role = fc.constantFrom("user", "assistant", "toolResult", "bashExecution", "custom", "hookMessage");
  const message = fc.record({
    role,
    content: fc.jsonValue(),
    usage: fc.jsonValue(),
    command: fc.jsonValue(),
  });
  fc.assert(
    fc.property(
      fc.record({
        type,
        message: fc.oneof(message, fc.jsonValue()),
        summary: fc.jsonValue(),
        timestamp: fc.jsonValue(),
      }),
      (object) => {
        const { entry } = decode(object);
        expect(entry.id).toBe(PLACE.id);
        expect(entry.parentId).toBe(PLACE.parentId);
        expect(Number.isNaN(Date.parse(entry.timestamp))).toBe(false);
        JSON.parse(encodeEntry(entry));
      },
    ),
  );
});

test("decodeEntry() reads what versions 1 and 2 and oh-my-pi write", () => {
  expect(decode({ type: "model_change", model: "openai/gpt/5", role: "smol" }).entry).toMatchObject({
    provider: "openai",
    modelId: "gpt/5",
  });
  expect(decode({ type: "message", message: { role: "hookMessage", content: "c" } }).entry).toMatchObject({
    message: { role: "custom", customType: "", content: "c", display: true },
  });
  expect(
    decode({
      type: "message",
      message: { role: "user", content: [{ type: "image", data: "blob:sha256:00" }] },
    }).entry,
  ).toMatchObject({
    message: { content: [{ type: "text", text: "[image: its data is not in the session file]" }] },
  });
});

test("decodeEntry() says that a result's evicted content is not in the file", () => {
  const evictedContent = {
    payloads: { a: { ref: "x", originalChars: 40_000 }, b: { ref: "y", originalChars: 2 } },
  };
  const message = { role: "toolResult", toolCallId: "c", toolName: "read", content: [], evictedContent };
  expect(decode({ type: "message", message }).entry).toMatchObject({
    message: {
      content: [{ type: "text", text: "[content of 40002 characters: not in the session file]" }],
      evictedContent,
    },
  });
});

test("encodeHeader() writes a line that a header is decoded from", () => {
  const header = newHeader({ cwd: "/a b", parentSession: "p", title: "t" });
  expect(JSON.parse(encodeHeader(header))).toEqual(header);
  expect(header.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
