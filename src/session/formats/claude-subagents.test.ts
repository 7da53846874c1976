import { expect, test } from "bun:test";
import { chunksOf, conversation, convertFixture, fixtureBytes, outline } from "../../testing/conversion.ts";
import { tempDir } from "../../testing/temp.ts";
import { subagentFileOf } from "./subagent-files.ts";

test("claude: subagents' messages are custom entries, and the title is the one of this file's leaf", async () => {
  const { entries, report } = await convertFixture("claude-subagents.jsonl");
  expect(conversation(entries)).toEqual([
    "user: Find out why it drips.",
    'assistant, toolUse: Task toolu_t {"description":"look at the spout","prompt":"Look at the spout and report."}',
    "result of Task toolu_t: The seal is worn.",
    "assistant, stop: The seal is worn; replace it.",
  ]);
  expect(outline(entries).at(-1)).toBe("name The dripping spout");
  expect(report.kept.find((kind) => kind.customType === "claude:subagent")?.count).toBe(3);
  const progress = entries.filter(
    (entry) => entry.type === "custom" && entry.customType === "claude:subagent",
  )[2];
  expect(progress).toMatchObject({
    data: {
      agentId: "a77",
      toolCallId: "toolu_t",
      message: { role: "assistant", content: [{ type: "text", text: "Yes, worn." }] },
    },
  });
});

test("claude: subagents are counted, not kept, with subagents: drop", async () => {
  const { entries, report } = await convertFixture("claude-subagents.jsonl", { subagents: "drop" });
  expect(JSON.stringify(entries)).not.toContain("Yes, worn.");
  expect(report.counted).toEqual([{ kind: "claude:subagent", reason: "dropped on request", count: 3 }]);
});

test("claude: a subagent's own file is a session", async () => {
  const { entries } = await convertFixture("claude-agent-file.jsonl", { subagents: "drop" });
  expect(conversation(entries)).toEqual(["user: Look at the spout.", "assistant, stop: It drips."]);
});

test("claude: messages in a subagent's own file are custom entries after the session's, or counted", async () => {
  const asked: string[] = [];
  const subagentFile = (agentId: string) => {
    asked.push(agentId);
    return chunksOf(fixtureBytes("claude-agent-file.jsonl"));
  };
  const kept = await convertFixture("claude-subagents.jsonl", { subagents: "keep", subagentFile });
  expect(asked).toEqual(["a77"]);
  expect(outline(kept.entries).slice(-2)).toEqual(["custom claude:subagent", "custom claude:subagent"]);
  expect(kept.entries.at(-1)).toMatchObject({
    data: { type: "assistant", agentId: "a77", message: { content: [{ type: "text", text: "It drips." }] } },
  });
  const dropped = await convertFixture("claude-subagents.jsonl", { subagents: "drop", subagentFile });
  expect(dropped.report.counted).toEqual([
    { kind: "claude:subagent", reason: "dropped on request", count: 5 },
  ]);
});

test("subagentFileOf() finds a session's folder of subagents, and nothing outside it", async () => {
  using dir = tempDir();
  const session = dir.write("s1.jsonl", "");
  dir.write("s1/subagents/agent-a1.jsonl", "one");
  dir.write("agent-a2.jsonl", "two");
  dir.write("secret.jsonl", "three");
  const find = subagentFileOf(session);
  const read = async (id: string) => Buffer.concat(await Array.fromAsync(find(id) ?? [])).toString();
  expect([
    await read("a1"),
    await read("a2"),
    find("a3"),
    find("/../secret"),
    find("x/../../secret"),
  ]).toEqual(["one", "two", undefined, undefined, undefined]);
});

test("claude: the link to a subagent's file stays in the result's details", async () => {
  const { entries } = await convertFixture("claude-subagents.jsonl");
  const result = entries.find((entry) => entry.type === "message" && entry.message.role === "toolResult");
  expect(result).toMatchObject({ message: { details: { agentId: "a77", status: "completed" } } });
});
