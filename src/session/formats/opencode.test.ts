import { expect, test } from "bun:test";
import { convertBytes, convertFixture, outline } from "../../testing/conversion.ts";

test("opencode: each step is a message, with its results and its own usage", async () => {
  const { header, entries, report } = await convertFixture("opencode.json");
  expect(header).toEqual({
    type: "session",
    version: 3,
    id: "ses_4f",
    timestamp: "2026-02-25T06:13:20.000Z",
    cwd: "/srv/bakery",
    title: "Crusty bread",
  });
  expect(outline(entries)).toEqual([
    "injected opencode:synthetic: Called the Read tool with oven.ts",
    "user: Make the crust crisp. + <image/png, 96> + [file oven.ts]",
    "model openai/gpt-5.2",
    'assistant, toolUse: (More heat.) + bash call_o1 {"command":"bake --dry-run"} + edit call_o2 {"filePath":"oven.ts"}',
    "result of bash call_o1, failed: burnt\n",
    "result of edit call_o2, failed: oldString not found",
    "assistant, stop: Bake at 230 degrees.",
    "custom opencode:patch",
    "compaction of 0: So far: 230 degrees.",
    "user: Go on.",
    'assistant, aborted: bash call_o3 {"command":"bake"}',
  ]);
  const usages = entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "assistant" ? [entry.message.usage] : [],
  );
  expect(usages).toEqual([
    { input: 10, output: 10, cacheRead: 200, cacheWrite: 0, totalTokens: 220, cost: { total: 0.01 } },
    { input: 20, output: 6, cacheRead: 300, cacheWrite: 0, totalTokens: 326, cost: { total: 0.01 } },
    { input: 7, output: 3, cacheRead: 0, cacheWrite: 0, totalTokens: 10 },
  ]);
  expect([report.calls, report.callsWithoutResult]).toEqual([3, 1]);
});

test("opencode: messages that were undone are a branch that was left", async () => {
  const message = (id: string, role: string, text: string) => ({
    info: { id, role, modelID: "m", providerID: "p" },
    parts: [{ type: "text", text }],
  });
  const messages = [
    message("m1", "user", "one"),
    message("m2", "assistant", "1"),
    message("m3", "user", "two"),
  ];
  const document = { info: { id: "ses_9", directory: "/srv", revert: { messageID: "m3" } }, messages };
  const { entries, report } = await convertBytes(Buffer.from(JSON.stringify(document)));
  const lines = outline(entries);
  expect(lines).toEqual([
    "user: one",
    "model p/m",
    "assistant, stop: 1",
    "user: two",
    "custom opencode:revert",
  ]);
  expect([entries.at(-1)?.parentId, report.branches]).toEqual([entries[2]?.id ?? "", 1]);
});

test("opencode: of a summary the text is kept, and what else it has is counted", async () => {
  const parts = [
    { type: "step-start" },
    { type: "reasoning", text: "Hm." },
    { type: "text", text: "So far: bread." },
    { type: "step-finish" },
  ];
  const messages = [{ info: { id: "m1", role: "assistant", summary: true }, parts }];
  const document = { info: { id: "ses_9", directory: "/srv" }, messages };
  const { entries, report } = await convertBytes(Buffer.from(JSON.stringify(document)));
  expect(outline(entries)).toEqual(["compaction of 0: So far: bread."]);
  expect(report.counted).toEqual([
    { kind: "summary: step-start", reason: "bookkeeping", count: 1 },
    { kind: "summary: reasoning", reason: "no place", count: 1 },
    { kind: "summary: step-finish", reason: "bookkeeping", count: 1 },
  ]);
});
